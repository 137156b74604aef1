// Tests the plans of INSERT, UPDATE, DELETE, BATCH and similar statements. EXPLAIN shows them.
#include <gtest/gtest.h>

#include "planner/plan.h"
#include "tests/unit/planner/plan_support.h"

namespace widerow {
namespace {

TEST(PlanModify, Inserts) {
  ExpectAnswers({
      {"INSERT INTO t (k, v) VALUES (1, 2)", "Insert ks.t\n  key      k=1\n  partitions 1 of 16\n  set      v = 2"},
      {"INSERT INTO events (device, seq, v) VALUES ('a', ?, null) USING TTL 10 AND TIMESTAMP ?",
       "Insert ks.events\n  key      device='a', seq=?\n  partitions 1 of 16\n  set      v = null\n"
       "  using    timestamp ?, ttl 10 s"},
      {"INSERT INTO events (device, owner) VALUES ('a', 'x')",
       "Insert ks.events\n  key      device='a'\n  partitions 1 of 16\n  set      owner = 'x'"},
      {"INSERT INTO t (k) VALUES (1)", "Insert ks.t\n  key      k=1\n  partitions 1 of 16"},
      {"INSERT INTO t (k, w) VALUES (bucket(1234567, 16), hash_prefix('200001', 4))",
       "Insert ks.t\n  key      k=7\n  partitions 1 of 16\n  set      w = 'ee8f'"},
      {"INSERT INTO types (k, l, st, m, tp, fu) VALUES (1, [1, 2], {'b', 'a', 'b'}, {'x': 1}, (1, null), {zip: 5})",
       "Insert ks.types\n  key      k=1\n  partitions 1 of 16\n"
       "  set      l = [1, 2], st = {'a', 'b'}, m = {'x': 1}, tp = (1, null), fu = {street: null, zip: 5}"},
      {"INSERT INTO types (k, tp) VALUES (?, (?, 'x'))",
       "Insert ks.types\n  key      k=?\n  partitions at most 1 of 16\n  set      tp = (?, 'x')"},
      {"INSERT INTO events (device, v) VALUES ('a', 1)",
       "Invalid Some clustering keys are missing: seq\n"
       "hint: the key is PRIMARY KEY (device, seq): give device = ? AND seq = ?"},
      {"INSERT INTO t (v) VALUES (1)",
       "Invalid Some partition key parts are missing: k\nhint: the key is PRIMARY KEY (k): give k = ?"},
      {"INSERT INTO t (k, v) VALUES (1)", "Invalid Unmatched column names/values\nhint: 2 columns, 1 values"},
      {"INSERT INTO t (k, v) VALUES (1, 2) IF NOT EXISTS",
       "Insert ks.t\n  key      k=1\n  partitions 1 of 16\n  set      v = 2\n  if       the row does not exist"},
      {"INSERT INTO t JSON '{}'", "Invalid Invalid null value in condition for column k"},
      {"INSERT INTO t JSON ?",
       "Insert ks.t\n  key      k=json(?).k\n  partitions at most 1 of 16\n  set      v = json(?).v, w = json(?).w"},
      {"INSERT INTO t (k, v) VALUES (1, 1 + 2)", "Insert ks.t\n  key      k=1\n  partitions 1 of 16\n  set      v = 3"},
      {"INSERT INTO types (k, ud) VALUES (1, {street: 'x', nope: 1})",
       "Invalid Unknown field 'nope' in value of user defined type addr\nhint: its fields are street, zip"},
  });
}

TEST(PlanModify, Updates) {
  const std::string key = "Update ks.types\n  key      k=1\n  partitions 1 of 16\n  set      ";
  ExpectAnswers({
      {"UPDATE types SET l = l + [1] WHERE k = 1", key + "l += [1]"},
      {"UPDATE types SET l = [1] + l WHERE k = 1", key + "l = [1] + l"},
      {"UPDATE types SET l -= [1], st += {'x'} WHERE k = 1", key + "l -= [1], st += {'x'}"},
      {"UPDATE types SET m = m - {'x'}, m['y'] = 1 WHERE k = 1", key + "m -= {'x'}, m['y'] = 1"},
      {"UPDATE types SET l[2] = 5, ud.zip = 7, ud.street = ? WHERE k = 1", key + "l[2] = 5, ud.zip = 7, ud.street = ?"},
      {"UPDATE types SET l = null WHERE k IN (1, 2)",
       "Update ks.types\n  key      k in (1, 2)\n  partitions 2 of 16\n  set      l = null"},
      {"UPDATE events SET owner = 'x' WHERE device = 'a'",
       "Update ks.events\n  key      device='a'\n  partitions 1 of 16\n  set      owner = 'x'"},
      {"UPDATE wide SET v = 1 WHERE a = 1 AND b = 2 AND (c, d, e) IN ((1, 2, 3), (4, 5, 6))",
       "Update ks.wide\n  key      a=1, b=2, (c, d, e) in ((1, 2, 3), (4, 5, 6))\n  partitions 1 of 16\n  set      v = "
       "1"},
      {"UPDATE t SET v = 1, v = 2 WHERE k = 1", "SyntaxError Multiple incompatible setting of column v"},
      {"UPDATE t SET v = 1 WHERE k = 1 IF v = 2",
       "Update ks.t\n  key      k=1\n  partitions 1 of 16\n  set      v = 1\n  if       v = 2"},
      {"UPDATE t SET v = 1 WHERE k = 1 IF EXISTS",
       "Update ks.t\n  key      k=1\n  partitions 1 of 16\n  set      v = 1\n  if       the row exists"},
      {"UPDATE types SET l = null WHERE k = 1 AND m CONTAINS KEY 'x'", "Invalid Cannot use UPDATE with CONTAINS KEY"},
      {"UPDATE t SET v = 1 WHERE k = 1 OR k = 2",
       "Invalid OR is not supported in the WHERE clause of UPDATE statements"},
      {"UPDATE t SET v = 1 WHERE k = 1 AND v = 2",
       "Invalid Non PRIMARY KEY columns found in where clause: v \nhint: a write names its rows by their key, PRIMARY "
       "KEY (k)"},
  });
}

TEST(PlanModify, Deletes) {
  const auto deleted = [](const std::string& key, const std::string& what) {
    return "Delete ks.wide\n  key      a=1, b=2" + key + "\n  partitions 1 of 16\n  delete   " + what;
  };
  const std::string where = " FROM wide WHERE a = 1 AND b = 2";
  ExpectAnswers({
      {"DELETE" + where, deleted("", "the partition")},
      {"DELETE" + where + " AND c = 1", deleted(", c=1", "a range of rows")},
      {"DELETE" + where + " AND c > 1 AND c <= 5", deleted(", c in (1, 5]", "a range of rows")},
      {"DELETE" + where + " AND c = 1 AND d = 2 AND e = 3", deleted(", c=1, d=2, e=3", "the row")},
      {"DELETE v" + where + " AND c = 1 AND d = 2 AND e = 3", deleted(", c=1, d=2, e=3", "v")},
      {"DELETE s" + where, deleted("", "s")},
      {"DELETE FROM t WHERE k = 1", "Delete ks.t\n  key      k=1\n  partitions 1 of 16\n  delete   the row"},
      {"DELETE l[0], m['x'], ud.zip, st FROM types USING TIMESTAMP 5 WHERE k = 1",
       "Delete ks.types\n  key      k=1\n  partitions 1 of 16\n  delete   l[0], m['x'], ud.zip, st\n"
       "  using    timestamp 5"},
      {"DELETE v" + where + " AND c = 1",
       "Invalid Range deletions are not supported for specific columns\n"
       "hint: name whole rows in WHERE, or delete whole rows"},
  });
}

TEST(PlanModify, Batches) {
  ExpectAnswers({
      {"BEGIN UNLOGGED BATCH USING TIMESTAMP 5 INSERT INTO t (k) VALUES (1); DELETE FROM t WHERE k = 2; APPLY BATCH",
       "Batch unlogged, statements: 2\n  using    timestamp 5\n  Insert ks.t\n    key      k=1\n    partitions 1 of "
       "16\n"
       "  Delete ks.t\n    key      k=2\n    partitions 1 of 16\n    delete   the row"},
      {"BEGIN BATCH USING TIMESTAMP 5 INSERT INTO t (k) VALUES (1) USING TIMESTAMP 6; APPLY BATCH",
       "Invalid Timestamp must be set either on BATCH or individual statements"},
      {"BEGIN BATCH INSERT INTO t (k) VALUES (1); INSERT INTO t (v) VALUES (1); APPLY BATCH",
       "Invalid Some partition key parts are missing: k"},
      {"BEGIN COUNTER BATCH INSERT INTO t (k) VALUES (1); APPLY BATCH",
       "Invalid Cannot include non-counter statement in a counter batch"},
  });
}

TEST(PlanModify, CountersAreAddedTo) {
  const TablePtr plain = TestSchema()->FindTable("ks", "t");
  auto table = std::make_shared<TableSchema>(*plain);
  table->name = "c";
  table->columns[1].name = "n";
  table->columns[1].type = ScalarType(TypeKind::kCounter);
  table->columns.pop_back();
  auto keyspace = std::make_shared<KeyspaceSchema>(*TestSchema()->FindKeyspace("ks"));
  keyspace->tables["c"] = table;
  auto schema = std::make_shared<SchemaSnapshot>(*TestSchema());
  schema->keyspaces["ks"] = keyspace;
  EXPECT_EQ(PlanAnswer(*schema, "UPDATE c SET n = n + 1 WHERE k = 1"),
            "Update ks.c\n  key      k=1\n  partitions 1 of 16\n  set      n = n + 1");
  EXPECT_EQ(PlanAnswer(*schema, "UPDATE c SET n = 1 WHERE k = 1"),
            "Invalid Cannot set the value of counter column n (counters can only be incremented/decremented, not set)\n"
            "hint: n = n + 1");
  EXPECT_EQ(PlanAnswer(*schema, "INSERT INTO c (k, n) VALUES (1, 2)"),
            "Invalid INSERT statements are not allowed on counter tables, use UPDATE instead");
}

TEST(PlanStatement, OtherStatements) {
  ExpectAnswers({
      {"TRUNCATE t", "Truncate ks.t\n  access   none: a new storage id"},
      {"TRUNCATE nope", "Invalid table nope does not exist\nhint: looked for it in keyspace ks"},
      {"USE ks", "Use ks"},
      {"USE nope", "Invalid Keyspace 'nope' does not exist"},
      {"CREATE TABLE x (k int PRIMARY KEY)", "Schema change: CREATE TABLE"},
      {"EXPLAIN SELECT * FROM t WHERE k = 1",
       "Select ks.t\n  access   PointLookup k=1\n  partitions 1 of 16\n  filter   none"},
      {"EXPLAIN ANALYZE TRUNCATE t",
       "Invalid EXPLAIN ANALYZE runs SELECT, INSERT, UPDATE, DELETE and BATCH statements only\n"
       "hint: EXPLAIN without ANALYZE explains every statement"},
      {"CREATE INDEX ON t (v)", "Schema change: CREATE INDEX"},
      {"CREATE ROLE r", "Change of roles: CREATE ROLE"},
      {"CREATE TRIGGER x ON t USING 'x'", "Invalid CREATE TRIGGER is not supported yet"},
      {"CREATE TABLEGROUP g", "Schema change: CREATE TABLEGROUP"},
      {"ADVISE", "Advise"},
      {"CREATE FUNCTION f (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS ''",
       "Invalid User-defined functions are disabled in cassandra.yaml - set user_defined_functions_enabled=true to "
       "enable\n"
       "hint: nothing enables them here: compute with operators, CAST and the functions that there are, or in the "
       "client"},
      {"SELECT k FROM t GROUP BY k",
       "Select ks.t\n  access   TokenScan all rows\n  partitions 16 of 16\n  filter   none\n  aggregate rows that "
       "agree in k to one"},
  });
}

TEST(PlanStatement, NoKeyspace) {
  Result<Plan> plan = PlanText(SchemaSnapshot{}, "SELECT * FROM nope.t");
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().message, "keyspace nope does not exist");
}

TEST(PlanStatement, ExtensionsWarnOnce) {
  const auto warnings = [](const std::string& text) {
    Result<Plan> plan = PlanText(*TestSchema(), text);
    EXPECT_TRUE(plan.ok()) << text;
    return plan.ok() ? plan->warnings : std::vector<std::string>();
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(warnings("SELECT * FROM events WHERE device = 'a' AND seq > 1"), Texts{});
  EXPECT_EQ(warnings("SELECT * FROM events WHERE device = 'a' AND 1 < seq < 5"),
            Texts{"a chained comparison is a Widerow extension"});
  EXPECT_EQ(warnings("SELECT bucket(seq, 4), bucket(v, 4) FROM events WHERE device = 'a' AND seq BETWEEN 1 AND 2"),
            Texts{"bucket(), BETWEEN are Widerow extensions"});
  EXPECT_EQ(warnings("SELECT count(*) FROM events"), Texts{"Aggregation query used without partition key"});
}

}  // namespace
}  // namespace widerow
