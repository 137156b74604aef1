// A dump that is read back gives the same rows, with the same write times and TTLs. To test another kind of table, add
// it to kTables.
#include "shell/dump.h"

#include <gmock/gmock.h>

#include <regex>

#include "session_fixture.h"

namespace widerow {
namespace {

struct DumpedTable {
  const char* name;     // The kind of table, for messages.
  const char* written;  // CREATE TABLE t, and the writes.
  const char* shown;    // What the comparison selects from t.
};

constexpr DumpedTable kTables[] = {
    {"a default TTL that values do not have",
     "CREATE TABLE t (p int, c int, v int, w int, l list<int>, s text static, PRIMARY KEY (p, c));"
     "INSERT INTO t (p, c, v, w, l, s) VALUES (1, 1, 2, 3, [4], 's'); INSERT INTO t (p, c) VALUES (1, 2);"
     "UPDATE t SET w = 5 WHERE p = 1 AND c = 1; INSERT INTO t (p, s) VALUES (2, 'alone');"
     "ALTER TABLE t WITH default_time_to_live = 100000000;"
     "INSERT INTO t (p, c, v, l) VALUES (1, 3, 6, [7]); INSERT INTO t (p, c, v) VALUES (1, 4, 8) USING TTL 0;",
     "p, c, v, w, l, s, writetime(v), writetime(w), writetime(s), writetime(l), ttl(v), ttl(w), ttl(s), ttl(l)"},
    {"random key columns",
     "CREATE TABLE t (b int GENERATED ALWAYS AS (random(8)), c int, v int, w int, l list<int>, PRIMARY KEY ((b), c));"
     "INSERT INTO t (b, c, v) VALUES (0, 1, 0); INSERT INTO t (b, c, v) VALUES (1, 1, 1);"
     "INSERT INTO t (b, c, v) VALUES (2, 1, 2); INSERT INTO t (b, c, v) VALUES (3, 1, 3);"
     "INSERT INTO t (b, c, v) VALUES (4, 1, 4); INSERT INTO t (b, c, v, l) VALUES (5, 1, 5, [1, 2]);"
     "UPDATE t SET w = 6 WHERE b = 5 AND c = 1;",
     "b, c, v, w, l, writetime(v), writetime(w), writetime(l)"},
    {"other generated key columns",
     "CREATE TABLE t (k int, b int GENERATED ALWAYS AS (bucket(k, 4)), v int, d int GENERATED ALWAYS AS (v + 1), "
     "PRIMARY KEY ((b, k)));"
     "INSERT INTO t (k, v) VALUES (1, 2); INSERT INTO t (k) VALUES (3);",
     "b, k, v, d, writetime(v)"},
    {"a key derived from columns outside of it",
     "CREATE TABLE t (k text GENERATED ALWAYS AS (splice(',', zero_pad(d, 6), s)), d int, s text, v int, l set<int>, "
     "PRIMARY KEY (k));"
     "INSERT INTO t (d, s, v, l) VALUES (1, 'a', 5, {1, 2}); INSERT INTO t (d, s) VALUES (2, 'b');"
     "INSERT INTO t (d, s, l) VALUES (3, 'c', {3}); UPDATE t SET v = 6 WHERE d = 2 AND s = 'b';"
     "INSERT INTO t (d, s, v) VALUES (4, 'd', 1) USING TIMESTAMP 1700000000000000;"
     "INSERT INTO t (d, s) VALUES (4, 'd');",
     "k, d, s, v, l, writetime(v), writetime(l)"},
    {"texts with line ends",
     "CREATE TABLE t (k text PRIMARY KEY, v map<text, text>);"
     "INSERT INTO t (k, v) VALUES ('a\r\nb', {'c\r': '\n\r\n'}); INSERT INTO t (k) VALUES ('\r');",
     "text_as_blob(k), v, writetime(v)"},
    {"durations of zero",
     "CREATE TABLE t (k int PRIMARY KEY, d duration, l list<frozen<list<duration>>>);"
     "INSERT INTO t (k, d, l) VALUES (1, 0s, [[0s, 1d]]);",
     "k, d, l, writetime(d)"},
    {"collections with TTLs",
     "CREATE TABLE t (k int PRIMARY KEY, l list<int>, m map<int, int>);"
     "UPDATE t USING TTL 100000000 SET l = l + [1] WHERE k = 1; UPDATE t SET l = l + [2], m = {3: 4} WHERE k = 1;",
     "k, l, m, writetime(l), ttl(l), writetime(m), ttl(m)"},
    {"empty values",
     "CREATE TABLE t (k int PRIMARY KEY, b boolean, v varint, d double, l list<boolean>, f frozen<map<boolean, "
     "varint>>, "
     "u frozen<tuple<boolean, int>>);"
     "INSERT INTO t (k, b, v, d, l, f, u) VALUES (1, blob_as_boolean(0x), blob_as_varint(0x), blob_as_double(0x), "
     "[blob_as_boolean(0x), false], {blob_as_boolean(0x): blob_as_varint(0x)}, (blob_as_boolean(0x), null));",
     "k, b, v, d, l, f, u"},
    {"IPv6 addresses that contain IPv4 addresses",
     "CREATE TABLE t (k inet PRIMARY KEY, v inet, l list<inet>);"
     "INSERT INTO t (k, v, l) VALUES (blob_as_inet(0x00000000000000000000ffff01020304), '1.2.3.4', "
     "['::1', blob_as_inet(0x00000000000000000000ffff01020304)]);",
     "inet_as_blob(k), inet_as_blob(v), l"},
    {"values without an exact text",
     "CREATE TABLE t (k varint, c double, v decimal, w boolean, x text, y float, m map<text, text>, PRIMARY KEY (k, "
     "c));"
     "INSERT INTO t (k, c, v, w) VALUES (blob_as_varint(0x0001), 1, blob_as_decimal(0x8000000001), "
     "blob_as_boolean(0x02));"
     "INSERT INTO t (k, c, v, x) VALUES (1, NaN, blob_as_decimal(0x000000010001), blob_as_text(0xeda080));"
     "INSERT INTO t (k, c, y, m) VALUES (1, blob_as_double(0x7ff8000000000001), blob_as_float(0x7fc00001), "
     "{blob_as_text(0xeda080): blob_as_text(0xeda081), blob_as_text(0xeda081): '{\"hex\": \"00\"}', "
     "'{\"hex\": \"00\"}': 'a'});",
     "varint_as_blob(k), double_as_blob(c), decimal_as_blob(v), boolean_as_blob(w), text_as_blob(x), float_as_blob(y), "
     "text_as_blob(m[blob_as_text(0xeda080)]), text_as_blob(m[blob_as_text(0xeda081)]), m['{\"hex\": \"00\"}']"},
    {"elements with several TTLs, and a key derived from columns outside of it",
     "CREATE TABLE t (k text GENERATED ALWAYS AS (splice(',', zero_pad(d, 6), s)), d int, s text, l list<int>, "
     "m map<int, int>, PRIMARY KEY (k));"
     "BEGIN BATCH INSERT INTO t (d, s, l) VALUES (1, 'a', [1]) USING TTL 100000000; "
     "UPDATE t SET l = l + [2] WHERE d = 1 AND s = 'a'; APPLY BATCH;"
     "UPDATE t SET l = [3] + l WHERE d = 1 AND s = 'a';"
     "BEGIN BATCH INSERT INTO t (d, s, m) VALUES (1, 'a', {1: 1}) USING TTL 100000000; "
     "INSERT INTO t (d, s, m) VALUES (1, 'a', {2: 2}); APPLY BATCH;"
     "UPDATE t SET m = m + {3: 3} WHERE d = 1 AND s = 'a';",
     "k, l, m, ttl(l), ttl(m), writetime(l), writetime(m)"},
    {"the first timestamps",
     "CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL, w int);"
     "INSERT INTO t (k, v) VALUES (1, 1) USING TIMESTAMP -9223372036854775807;"
     "INSERT INTO t (k, v, w) VALUES (1, 1, 2) USING TIMESTAMP -9223372036854775807 AND TTL 100000000;",
     "k, v, w"},
    {"types with the names of native types",
     "CREATE TYPE \"int\" (a bigint); CREATE TYPE \"ttl\" (b frozen<\"int\">, c int);"
     "CREATE TABLE t (k int PRIMARY KEY, v \"int\", w list<frozen<\"int\">>, x frozen<\"ttl\">);"
     "INSERT INTO t (k, v, w, x) VALUES (1, {a: 1}, [{a: 2}], {b: {a: 3}, c: 4});",
     "k, v, w, x"},
    {"a view of all columns, and a static column that was added later",
     "CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c));"
     "CREATE MATERIALIZED VIEW mv AS SELECT * FROM t WHERE k IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, k);"
     "ALTER TABLE t ADD s int static; INSERT INTO t (k, c, v, s) VALUES (1, 2, 3, 4);",
     "k, c, v, s, writetime(v)"},
    {"columns that are NOT NULL",
     "CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL, x int NOT NULL, w int, l list<int>, m map<int, int>);"
     "INSERT INTO t (k, v, x, w, l) VALUES (1, 1, 1, 1, [1]) USING TIMESTAMP 1000;"
     "UPDATE t SET w = 2, l = l + [2], m = {1: 2} WHERE k = 1 IF EXISTS;"
     "UPDATE t USING TTL 100000000 SET m[3] = 4 WHERE k = 1 IF EXISTS;"
     "INSERT INTO t (k, v, x, l) VALUES (2, 1, 1, [1]) USING TTL 100000000; INSERT INTO t (k, v, x) VALUES (3, 1, 1);"
     "UPDATE t SET x = 2 WHERE k = 3 IF EXISTS; UPDATE t USING TTL 100000000 SET w = 2 WHERE k = 3 IF EXISTS;",
     "k, v, x, w, l, m, writetime(l), ttl(v), ttl(x), ttl(w), ttl(l), ttl(m)"},
    {"static columns, and a partition key derived from a clustering column",
     "CREATE TABLE t (b int GENERATED ALWAYS AS (bucket(c, 4)), c int, v int, s int static, l set<int> static, "
     "PRIMARY KEY (b, c));"
     "INSERT INTO t (c, v) VALUES (1, 1); INSERT INTO t (b, s, l) VALUES (1, 5, {1}); INSERT INTO t (b, s) VALUES (3, "
     "7);",
     "b, c, v, s, l, writetime(v), writetime(s), writetime(l)"},
    {"static columns, and a partition key derived from several columns outside of it",
     "CREATE TABLE t (p text GENERATED ALWAYS AS (splice(',', zero_pad(d, 6), e)), d int, e text, c int, v int, "
     "s int static, n list<int> static, l list<int>, m set<int>, PRIMARY KEY (p, c));"
     "INSERT INTO t (d, e, c, v) VALUES (1, 'x', 1, 1); INSERT INTO t (p, s) VALUES ('000001,x', 5) USING TTL "
     "100000000;"
     "UPDATE t USING TTL 100000000 SET n = n + [8] WHERE p = '000001,x'; INSERT INTO t (p, s) VALUES ('000002,x', 6);"
     "INSERT INTO t (d, e, c, v, l, m) VALUES (7, 'x', 1, 1, [1, 2, 3], {1, 2}) USING TTL 100000000;"
     "UPDATE t SET l[1] = 5, m = m + {3} WHERE d = 7 AND e = 'x' AND c = 1;"
     "UPDATE t SET l = [0] + l WHERE d = 7 AND e = 'x' AND c = 1;"
     "INSERT INTO t (d, e, c, v) VALUES (8, 'x', 1, 1) USING TIMESTAMP 1000 AND TTL 100000000;"
     "INSERT INTO t (d, e, c) VALUES (8, 'x', 1);",
     "p, c, d, e, v, s, n, l, m, writetime(d), writetime(v), writetime(s), writetime(n), writetime(l), writetime(m), "
     "ttl(d), ttl(e), ttl(v), ttl(s), ttl(n), ttl(l), ttl(m)"},
};

class DumpTest : public SessionTest {
 protected:
  // Returns the rows of t. A TTL of years is shown as "long".
  std::string RowsOf(const DumpedTable& table) {
    const std::string rows = Run("\\format csv\nSELECT " + std::string(table.shown) + " FROM t;");
    EXPECT_EQ(ran_, Interpreter::Ran::kOk) << rows;
    return std::regex_replace(rows, std::regex("\\b(100000000|99999\\d{3})\\b"), "long");
  }
  std::string Dumped(const std::string& table = "") {
    std::ostringstream dump;
    const auto figures = Dump(*session_, {.keyspace = keyspace_, .table = table}, dump, [](const auto&, uint64_t) {});
    EXPECT_TRUE(figures.ok()) << figures.error().message;
    return dump.str();
  }
  void MakeKeyspace() {
    Run("CREATE KEYSPACE " + keyspace_ + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};");
  }
  // Reads a dump of the keyspace, which must not exist, or of a table.
  void ReadBack(const std::string& dump) {
    std::istringstream in(dump);
    EXPECT_EQ(interpreter_->RunStream(in, "dump.cql"), Interpreter::Ran::kOk) << err_.str() << dump;
  }
};

INSTANTIATE_TEST_SUITE_P(Doors, DumpTest, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Http" : "InProcess"; });

TEST_P(DumpTest, TablesComeBackAsTheyWere) {
  for (const DumpedTable& table : kTables) {
    Run(table.written);
    ASSERT_EQ(ran_, Interpreter::Ran::kOk) << table.name << ": " << err_.str();
    const std::string before = RowsOf(table), dump = Dumped();
    Run("DROP KEYSPACE " + keyspace_ + ";");
    ReadBack(dump);
    EXPECT_EQ(RowsOf(table), before) << table.name << ":\n" << dump;
    Run("DROP KEYSPACE " + keyspace_ + ";");
    MakeKeyspace();
  }
}

// A dump of one table creates the types and the table group that the table needs, also if they exist.
TEST_P(DumpTest, OneTableComesBackWithWhatItNeeds) {
  const DumpedTable table{
      "one table",
      "CREATE TYPE part (a int); CREATE TYPE \"int\" (p frozen<part>); CREATE TYPE other (a int); CREATE TABLEGROUP g;"
      "CREATE TABLE t (k int PRIMARY KEY, v \"int\") TABLEGROUP = g; INSERT INTO t (k, v) VALUES (1, {p: {a: 2}});",
      "k, v"};
  Run(table.written);
  ASSERT_EQ(ran_, Interpreter::Ran::kOk) << err_.str();
  const std::string before = RowsOf(table), dump = Dumped("t");
  EXPECT_THAT(dump, ::testing::Not(::testing::HasSubstr("other")));
  Run("DROP TABLE t;");
  ReadBack(dump);
  EXPECT_EQ(RowsOf(table), before) << dump;
  Run("DROP KEYSPACE " + keyspace_ + ";");
  MakeKeyspace();
  ReadBack(dump);
  EXPECT_EQ(RowsOf(table), before) << dump;
}

// The rows of a view come from its table.
TEST_P(DumpTest, RowsOfViewsAreNotDumped) {
  Run("CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t (k, v) VALUES (1, 2);"
      "CREATE MATERIALIZED VIEW mv AS SELECT * FROM t WHERE k IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, k);");
  EXPECT_THAT(Dumped(), ::testing::Not(::testing::HasSubstr("INSERT INTO " + keyspace_ + ".mv")));
}

// A row that has only elements with TTLs disappears with the last of them.
TEST_P(DumpTest, RowsOfExpiringElementsExpire) {
  Run("CREATE TABLE t (k int PRIMARY KEY, l list<int>, m map<int, int>);"
      "UPDATE t USING TTL 1000 SET l = l + [1] WHERE k = 1; UPDATE t USING TTL 2000 SET m = {1: 1} WHERE k = 1;");
  const std::string dump = Dumped();
  EXPECT_THAT(dump, ::testing::ContainsRegex("INSERT INTO [a-z0-9.]+ \\(k\\) VALUES \\(1\\) USING TIMESTAMP [0-9]+ AND "
                                             "TTL (1000|999)"));
}

}  // namespace
}  // namespace widerow
