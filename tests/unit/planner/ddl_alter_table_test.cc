// Tests plans of ALTER TABLE and DROP TABLE.
#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

class DdlAlterTableTest : public DdlTest {
 protected:
  DdlAlterTableTest() {
    EXPECT_EQ(Run("CREATE TABLE x (k int, c int, s int static, v int, l list<int>, uu u, PRIMARY KEY (k, c))"), "ok");
    EXPECT_EQ(Run("CREATE TABLE p (k int PRIMARY KEY, v int)"), "ok");
  }
};

TEST_F(DdlAlterTableTest, AddsColumnsInOrderWithNewIds) {
  const ColumnId next = Table("x")->next_column_id;
  const StorageId storage = Table("x")->storage_id;
  EXPECT_EQ(Run("ALTER TABLE x ADD (n int, a text, t int static)"), "ok");
  EXPECT_EQ(ColumnNames("x"), "k c s t a l n uu v");
  EXPECT_EQ(Table("x")->Find("n")->id, next);
  EXPECT_EQ(Table("x")->next_column_id, next + 3);
  EXPECT_EQ(Table("x")->storage_id, storage);
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kUpdated);
}
TEST_F(DdlAlterTableTest, AddRefusals) {
  const std::pair<const char*, const char*> cases[] = {
      {"ADD v int", "Invalid Column with name 'v' already exists"},
      {"ADD k int", "Invalid Column with name 'k' already exists"},
      {"ADD (n int, n int)", "Invalid Column with name 'n' already exists"},
      {"ADD n counter", "ConfigError ks.x: Cannot have a counter column (\"n\") in a non counter table"},
      {"ADD n list<list<int>>", "Invalid Non-frozen collections are not allowed inside collections: list<list<int>>"},
      {"ADD n nosuch", "Invalid Unknown type ks.nosuch"},
      {"ADD n int NOT NULL", "Invalid Cannot add a NOT NULL column: the rows that there are have no value for it"},
  };
  const TablePtr before = Table("x");
  for (const auto& [action, expected] : cases)
    EXPECT_EQ(Run(std::string("ALTER TABLE x ") + action), expected) << action;
  EXPECT_EQ(Table("x"), before);
  EXPECT_EQ(
      Run("ALTER TABLE p ADD s int static"),
      "Invalid Static columns are only useful (and thus allowed) if the table has at least one clustering column");
}
TEST_F(DdlAlterTableTest, AddIfNotExistsAddsTheRest) {
  EXPECT_EQ(Run("ALTER TABLE x ADD IF NOT EXISTS v int"), "unchanged");
  EXPECT_EQ(Run("ALTER TABLE x ADD IF NOT EXISTS (v int, w int)"), "ok");
  EXPECT_EQ(TypeOf("x", "w"), "int");
}
TEST_F(DdlAlterTableTest, DropsColumnsAndRemembersThem) {
  EXPECT_EQ(Run("ALTER TABLE x DROP l USING TIMESTAMP 1000"), "ok");
  now_micros_ = 5'000;
  EXPECT_EQ(Run("ALTER TABLE x DROP (v, v)"), "ok");
  EXPECT_EQ(Run("ALTER TABLE x DROP s"), "ok");
  EXPECT_EQ(ColumnNames("x"), "k c uu");
  const auto& dropped = Table("x")->dropped_columns;
  ASSERT_EQ(dropped.size(), 3u);
  EXPECT_EQ(dropped[0].name, "l");
  EXPECT_EQ(dropped[0].dropped_micros, 1000);
  EXPECT_EQ(TypeText(*dropped[0].type), "list<int>");
  EXPECT_EQ(dropped[1].dropped_micros, 5'000);
  EXPECT_TRUE(dropped[2].is_static);
}
TEST_F(DdlAlterTableTest, DroppedUserTypesAreKeptAsTuples) {
  EXPECT_EQ(Run("ALTER TABLE x ADD f frozen<u>"), "ok");
  EXPECT_EQ(Run("ALTER TABLE x DROP f"), "ok");
  EXPECT_EQ(TypeText(*Table("x")->dropped_columns[0].type), "frozen<tuple<int, text>>");
  EXPECT_EQ(Run("ALTER TABLE x ADD f frozen<u>"), "ok");
}
TEST_F(DdlAlterTableTest, DropRefusals) {
  const std::pair<const char*, const char*> cases[] = {
      {"DROP nosuch", "Invalid Column nosuch was not found in table 'ks.x'"},
      {"DROP k", "Invalid Cannot drop PRIMARY KEY column k"},
      {"DROP c", "Invalid Cannot drop PRIMARY KEY column c"},
      {"DROP uu", "Invalid Cannot drop non-frozen column uu of user type u"},
      {"DROP (v, nosuch)", "Invalid Column nosuch was not found in table 'ks.x'"},
  };
  for (const auto& [action, expected] : cases)
    EXPECT_EQ(Run(std::string("ALTER TABLE x ") + action), expected) << action;
  EXPECT_EQ(Run("ALTER TABLE x DROP IF EXISTS nosuch"), "unchanged");
  EXPECT_EQ(Run("ALTER TABLE x DROP IF EXISTS (nosuch, v)"), "ok");
  EXPECT_EQ(TypeOf("x", "v"), "no column");
}
TEST_F(DdlAlterTableTest, ReaddingNeedsAReadableType) {
  EXPECT_EQ(Run("ALTER TABLE x ADD (a ascii, st int static)"), "ok");
  EXPECT_EQ(Run("ALTER TABLE x DROP (v, l, a, st)"), "ok");
  EXPECT_EQ(
      Run("ALTER TABLE x ADD v text"),
      "Invalid Cannot add a column 'v' of type text, incompatible with previously dropped column 'v' of type int");
  EXPECT_EQ(
      Run("ALTER TABLE x ADD v blob"),
      "Invalid Cannot add a column 'v' of type blob, incompatible with previously dropped column 'v' of type int");
  EXPECT_EQ(Run("ALTER TABLE x ADD l set<int>"),
            "Invalid Cannot add a column 'l' of type set<int>, incompatible with previously dropped column 'l' of type "
            "list<int>");
  EXPECT_EQ(Run("ALTER TABLE x ADD l frozen<list<int>>"),
            "Invalid Cannot add a column 'l' of type frozen<list<int>>, incompatible with previously dropped column "
            "'l' of type list<int>");
  EXPECT_EQ(
      Run("ALTER TABLE x ADD st int"),
      "Invalid Cannot re-add previously dropped column 'st' of kind REGULAR, incompatible with previous kind STATIC");
  EXPECT_EQ(Run("ALTER TABLE x ADD a text"), "ok");
}
TEST_F(DdlAlterTableTest, AReaddedColumnHasItsIdAndRemembersTheGreatestDrop) {
  const ColumnId id = Table("x")->Find("v")->id, next = Table("x")->next_column_id;
  const auto drop_and_add = [&](const std::string& timestamp) {
    EXPECT_EQ(Run("ALTER TABLE x DROP v" + timestamp), "ok");
    EXPECT_EQ(Table("x")->Find("v"), nullptr);
    EXPECT_EQ(Run("ALTER TABLE x ADD v int"), "ok");
    EXPECT_EQ(Table("x")->Find("v")->id, id);
    return *Table("x")->FindDropped("v");
  };
  EXPECT_EQ(drop_and_add(" USING TIMESTAMP 20").gone_micros, 20);
  EXPECT_FALSE(Table("x")->Shows(id, 20));
  EXPECT_TRUE(Table("x")->Shows(id, 21));
  const DroppedColumn earlier = drop_and_add(" USING TIMESTAMP -3");
  EXPECT_EQ(earlier.dropped_micros, -3);
  EXPECT_EQ(earlier.gone_micros, 20);
  const int64_t time_of_drop = now_micros_;
  EXPECT_EQ(drop_and_add("").gone_micros, time_of_drop);
  EXPECT_EQ(Table("x")->next_column_id, next);
  EXPECT_TRUE(Table("x")->Shows(Table("x")->Find("l")->id, INT64_MIN + 1));
}
TEST_F(DdlAlterTableTest, AColumnOfAnOlderCatalogComesBackWithoutItsValues) {
  const ColumnId id = Table("x")->Find("v")->id, next = Table("x")->next_column_id;
  EXPECT_EQ(Run("ALTER TABLE x DROP v USING TIMESTAMP 20"), "ok");
  auto older = std::make_shared<SchemaSnapshot>(*schema_);
  KeyspaceSchema keyspace = *older->FindKeyspace("ks");
  TableSchema table = *Table("x");
  const DroppedColumn& known = table.dropped_columns[0];
  table.dropped_columns = {
      {.name = known.name, .type = known.type, .is_static = false, .dropped_micros = known.dropped_micros}};
  keyspace.tables["x"] = std::make_shared<const TableSchema>(std::move(table));
  older->keyspaces["ks"] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
  schema_ = older;
  EXPECT_EQ(Run("ALTER TABLE x ADD v int"), "ok");
  EXPECT_EQ(Table("x")->Find("v")->id, next);
  EXPECT_FALSE(Table("x")->Shows(id, 100));
  EXPECT_TRUE(Table("x")->Shows(next, 1));
}
TEST_F(DdlAlterTableTest, RenamesKeyColumns) {
  EXPECT_EQ(Run("ALTER TABLE x RENAME k TO kk AND c TO cc"), "ok");
  EXPECT_EQ(ColumnNames("x"), "kk cc s l uu v");
  EXPECT_EQ(Run("ALTER TABLE x RENAME nosuch TO w"), "Invalid Undefined column name nosuch in table ks.x");
  EXPECT_EQ(Run("ALTER TABLE x RENAME v TO w"), "Invalid Cannot rename non PRIMARY KEY column v");
  EXPECT_EQ(Run("ALTER TABLE x RENAME kk TO cc"),
            "Invalid Cannot rename column kk to cc in table 'ks.x'; another column with that name already exists");
  EXPECT_EQ(Run("ALTER TABLE x RENAME kk TO q AND q TO r"), "Invalid Undefined column name q in table ks.x");
  EXPECT_EQ(Run("ALTER TABLE x RENAME kk TO q AND cc TO q"),
            "Invalid Cannot rename column cc to q in table 'ks.x'; another column with that name already exists");
  // Cassandra ignores IF EXISTS in this statement, and answers "Undefined column name".
  EXPECT_EQ(Run("ALTER TABLE x RENAME IF EXISTS nosuch TO w"), "Invalid Undefined column name nosuch in table ks.x");
}
TEST_F(DdlAlterTableTest, SetsOptionsAndKeepsTheOthers) {
  EXPECT_EQ(Run("ALTER TABLE x WITH comment = 'hi' AND gc_grace_seconds = 10"), "ok");
  EXPECT_EQ(Run("ALTER TABLE x WITH compaction = {'class': 'LeveledCompactionStrategy'}"), "ok");
  EXPECT_EQ(Table("x")->options.comment, "hi");
  EXPECT_EQ(Table("x")->options.gc_grace_seconds, 10);
  // The compaction class sets this option only when the table is created.
  EXPECT_EQ(Table("x")->options.bloom_filter_fp_chance, 0.01);
  EXPECT_EQ(Run("ALTER TABLE x WITH foo = 'hi'"), "SyntaxError Unknown property 'foo'");
  EXPECT_EQ(Run("ALTER TABLE x WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18"), "ConfigError Cannot alter table id.");
  EXPECT_EQ(Run("ALTER TABLE x WITH default_time_to_live = -5"),
            "ConfigError default_time_to_live must be greater than or equal to 0 (got -5)");
}
TEST_F(DdlAlterTableTest, WhatIsNoLongerOrNotYetPossible) {
  EXPECT_EQ(Run("ALTER TABLE x ALTER v TYPE text"), "Invalid Altering column types is no longer supported");
  EXPECT_EQ(Run("ALTER TABLE x DROP COMPACT STORAGE"),
            "Invalid DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.");
  EXPECT_EQ(Run("ALTER TABLE x ALTER v MASKED WITH DEFAULT"),
            "Invalid Cannot mask columns because dynamic data masking is not enabled. You can enable it with the "
            "dynamic_data_masking_enabled property on cassandra.yaml");
  EXPECT_EQ(Run("ALTER TABLE x DROP PARTITION p1"),
            "Invalid DROP PARTITION needs a table with PARTITION BY, and ks.x is stored by token");
}
TEST_F(DdlAlterTableTest, AbsentTables) {
  EXPECT_EQ(Run("ALTER TABLE nosuch ADD v int"), "Invalid Table 'ks.nosuch' doesn't exist");
  EXPECT_EQ(Run("ALTER TABLE k9.nosuch ADD v int"), "Invalid Table 'k9.nosuch' doesn't exist");
  EXPECT_EQ(Run("ALTER TABLE IF EXISTS nosuch ADD v int"), "unchanged");
  EXPECT_EQ(Run("CREATE TABLE m (k int PRIMARY KEY, v int) WITH crc_check_chance = NaN"), "ok");
  EXPECT_EQ(Run("ALTER TABLE m ALTER v DROP MASKED"), "unchanged");
  EXPECT_EQ(Run("DROP TABLE nosuch"), "Invalid Table 'ks.nosuch' doesn't exist");
  EXPECT_EQ(Run("DROP TABLE IF EXISTS k9.nosuch"), "unchanged");
}
TEST_F(DdlAlterTableTest, DropTable) {
  const TablePtr other = Table("p");
  EXPECT_EQ(Run("DROP TABLE x"), "ok");
  EXPECT_EQ(change_.kind, SchemaChange::Kind::kDropped);
  EXPECT_EQ(Table("x"), nullptr);
  EXPECT_EQ(Table("p"), other);
}

}  // namespace
}  // namespace widerow
