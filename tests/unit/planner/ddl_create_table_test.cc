// Tests what CREATE TABLE checks: keys, columns, types and names.
#include <set>

#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

using DdlCreateTableTest = DdlTest;

TEST_F(DdlCreateTableTest, SortsColumnsAndNumbersThem) {
  EXPECT_EQ(Run("CREATE TABLE t (z int, s2 int static, k2 int, c int, a int, k1 text, s1 int static, d int, "
                "PRIMARY KEY ((k1, k2), d, c)) WITH CLUSTERING ORDER BY (d DESC)"),
            "ok");
  EXPECT_EQ(ColumnNames("t"), "k1 k2 d c s1 s2 a z");
  const TablePtr table = Table("t");
  EXPECT_EQ(table->partition_key_size, 2u);
  EXPECT_EQ(table->clustering_size, 2u);
  EXPECT_TRUE(table->clustering(0).descending);
  EXPECT_FALSE(table->clustering(1).descending);
  EXPECT_EQ(table->clustering(1).position, 1u);
  EXPECT_EQ(table->Find("s1")->kind, ColumnKind::kStatic);
  std::set<ColumnId> ids;
  for (const ColumnSchema& column : table->columns) ids.insert(column.id);
  EXPECT_EQ(ids.size(), 8u);
  EXPECT_EQ(table->next_column_id, 8u);
}
TEST_F(DdlCreateTableTest, GetsAnIdAStorageAndSixteenPartitions) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"), "ok");
  const TablePtr table = Table("t");
  EXPECT_EQ(table->storage_id, 100u);
  EXPECT_EQ(table->id.version(), 1);
  ASSERT_EQ(table->partition_map.size(), 16u);
  EXPECT_EQ(table->partition_map[0], (PartitionRange{0, ""}));
  EXPECT_EQ(table->partition_map[1], (PartitionRange{1, Bytes("\x10\0\0\0\0\0\0\0", 8)}));
  // This range begins at token 0.
  EXPECT_EQ(table->partition_map[8], (PartitionRange{8, Bytes("\x80\0\0\0\0\0\0\0", 8)}));
  EXPECT_EQ(table->partition_map[15], (PartitionRange{15, Bytes("\xF0\0\0\0\0\0\0\0", 8)}));
  EXPECT_EQ(change_.target, SchemaChange::Target::kTable);
  EXPECT_EQ(change_.name, "t");
}
TEST_F(DdlCreateTableTest, IdCanBeGiven) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY) WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18"), "ok");
  EXPECT_EQ(Table("t")->id.ToString(), "5a1c395e-b41f-11e5-9f22-ba0be0483c18");
  EXPECT_EQ(Run("CREATE TABLE t2 (k int PRIMARY KEY) WITH id = '5a1c395e-b41f-11e5-9f22-ba0be0483c18'"),
            "ConfigError Table id 5a1c395e-b41f-11e5-9f22-ba0be0483c18 is that of table 'ks.t'");
  EXPECT_EQ(Run("CREATE TABLE t2 (k int PRIMARY KEY) WITH id = 'abc'"), "ConfigError Invalid table id");
}
TEST_F(DdlCreateTableTest, ExistsAlready) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"), "ok");
  const Result<DdlResult> again = Try("CREATE TABLE ks.t (k int PRIMARY KEY)");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(again.error().message, "Cannot add already existing table \"t\" to keyspace \"ks\"");
  EXPECT_EQ(again.error().keyspace, "ks");
  EXPECT_EQ(again.error().table, "t");
  EXPECT_EQ(Run("CREATE TABLE IF NOT EXISTS t (k nosuch PRIMARY KEY)"), "unchanged");
}
TEST_F(DdlCreateTableTest, NeedsAKeyspace) {
  EXPECT_EQ(Run("CREATE TABLE nosuch.t (k int PRIMARY KEY)"), "Invalid Keyspace 'nosuch' doesn't exist");
  current_keyspace_.clear();
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"),
            "Invalid No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

struct Case {
  const char* text;
  const char* answer;
};
class DdlRefusalTest : public DdlTest, public testing::WithParamInterface<Case> {};
TEST_P(DdlRefusalTest, SaysWhatCassandraSays) {
  EXPECT_EQ(Run(GetParam().text), GetParam().answer) << GetParam().text;
  EXPECT_EQ(Table("a"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Key, DdlRefusalTest,
    testing::Values(
        Case{"CREATE TABLE ks.a (k int)", "Invalid No PRIMARY KEY specifed for table 'ks.a' (exactly one required)"},
        Case{"CREATE TABLE a (k int)", "Invalid No PRIMARY KEY specifed for table 'a' (exactly one required)"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, PRIMARY KEY (k))",
             "Invalid Multiple PRIMARY KEY specified for table 'a' (exactly one required)"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, j int PRIMARY KEY)",
             "Invalid Multiple PRIMARY KEY specified for table 'a' (exactly one required)"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY (k), PRIMARY KEY (k))",
             "Invalid Multiple PRIMARY KEY specified for table 'a' (exactly one required)"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY (x))",
             "Invalid Unknown column 'x' referenced in PRIMARY KEY for table 'a'"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY (k, x))",
             "Invalid Unknown column 'x' referenced in PRIMARY KEY for table 'a'"},
        Case{"CREATE TABLE ks.a (k int, v int, v text, PRIMARY KEY (k))",
             "Invalid Duplicate column 'v' declaration for table 'ks.a'"},
        Case{"CREATE TABLE a (k int, v int, v text, PRIMARY KEY (k))",
             "Invalid Duplicate column 'v' declaration for table 'a'"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY (k, k))",
             "Invalid Duplicate column 'k' in PRIMARY KEY clause for table 'a'"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY ((k, k)))",
             "Invalid Duplicate column 'k' in PRIMARY KEY clause for table 'a'"},
        Case{"CREATE TABLE a (k list<int> PRIMARY KEY)",
             "Invalid Invalid non-frozen collection type list<int> for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k int, c map<int, text>, PRIMARY KEY (k, c))",
             "Invalid Invalid non-frozen collection type map<int, text> for PRIMARY KEY column 'c'"},
        Case{"CREATE TABLE a (k u PRIMARY KEY)",
             "Invalid Invalid non-frozen user-defined type \"ks.u\" for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k duration PRIMARY KEY)",
             "Invalid duration type is not supported for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k int, c tuple<duration, int>, PRIMARY KEY (k, c))",
             "Invalid duration type is not supported for PRIMARY KEY column 'c'"},
        Case{"CREATE TABLE a (k int, c frozen<list<duration>>, PRIMARY KEY (k, c))",
             "Invalid duration type is not supported for PRIMARY KEY column 'c'"},
        Case{"CREATE TABLE a (k counter PRIMARY KEY)",
             "Invalid counter type is not supported for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k int static PRIMARY KEY)",
             "Invalid Static column 'k' cannot be part of the PRIMARY KEY"},
        Case{"CREATE TABLE a (k int, c int static, PRIMARY KEY (k, c))",
             "Invalid Static column 'c' cannot be part of the PRIMARY KEY"},
        Case{"CREATE TABLE a (k longblob PRIMARY KEY)", "Invalid LOB type is not supported for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k frozen<list<longblob>> PRIMARY KEY)",
             "Invalid LOB type is not supported for PRIMARY KEY column 'k'"},
        Case{"CREATE TABLE a (k int, s int static, PRIMARY KEY (k))",
             "Invalid Static columns are only useful (and thus allowed) if the table has at least one clustering "
             "column"}));

INSTANTIATE_TEST_SUITE_P(
    Order, DdlRefusalTest,
    testing::Values(
        Case{"CREATE TABLE a (k int, c int, v int, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (v DESC)",
             "Invalid Only clustering key columns can be defined in CLUSTERING ORDER directive: [v] are not clustering "
             "columns"},
        Case{"CREATE TABLE a (k int, PRIMARY KEY (k)) WITH CLUSTERING ORDER BY (k DESC, x ASC)",
             "Invalid Only clustering key columns can be defined in CLUSTERING ORDER directive: [k, x] are not "
             "clustering columns"},
        Case{"CREATE TABLE a (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (d DESC)",
             "Invalid Missing CLUSTERING ORDER for column c"},
        Case{"CREATE TABLE a (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (d DESC, c ASC)",
             "Invalid The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns "
             "(c must appear before d)"},
        Case{"CREATE TABLE ks.a (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c DESC, c ASC)",
             "Invalid Duplicate column 'c' in CLUSTERING ORDER BY clause for table 'ks.a'"}));

INSTANTIATE_TEST_SUITE_P(
    Types, DdlRefusalTest,
    testing::Values(
        Case{"CREATE TABLE a (k int PRIMARY KEY, v list<list<int>>)",
             "Invalid Non-frozen collections are not allowed inside collections: list<list<int>>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v map<list<int>, set<int>>)",
             "Invalid Non-frozen collections are not allowed inside collections: map<list<int>, set<int>>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v list<u>)",
             "Invalid Non-frozen UDTs are not allowed inside collections: list<u>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v map<int, u>)",
             "Invalid Non-frozen UDTs are not allowed inside collections: map<int, u>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v frozen<int>)",
             "SyntaxError frozen<> is only allowed on collections, tuples, and user-defined types (got int)"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v nosuch)", "Invalid Unknown type ks.nosuch"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v k9.u)",
             "Invalid Statement on keyspace ks cannot refer to a user type in keyspace k9; user types can only be used "
             "in the keyspace they are defined in"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v list<counter>)",
             "Invalid Counters are not allowed inside collections: list<counter>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v map<counter, int>)",
             "Invalid Counters are not allowed inside collections: map<counter, int>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v set<duration>)",
             "Invalid Durations are not allowed inside sets: set<duration>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v map<duration, int>)",
             "Invalid Durations are not allowed as map keys: map<duration, int>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v tuple<counter>)", "Invalid Counters are not allowed inside tuples"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v vector<int, 0>)",
             "Invalid vectors may only have positive dimensions; given 0"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v 'foo')",
             "SyntaxError Error setting type foo: Unable to find abstract-type class "
             "'org.apache.cassandra.db.marshal.foo'"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v int, c counter)",
             "Invalid Cannot mix counter and non counter columns in the same table"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, c counter) WITH default_time_to_live = 10",
             "Invalid Cannot set default_time_to_live on a table with counters"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, c frozen<list<counter>>)",
             "Invalid Counters are not allowed inside collections: frozen<list<counter>>"},
        Case{"CREATE TABLE a (k int PRIMARY KEY, v varbinary(536870913))",
             "Invalid varbinary takes a length of 1 to 536870912 bytes"}));

INSTANTIATE_TEST_SUITE_P(
    NotYet, DdlRefusalTest,
    testing::Values(Case{"CREATE TABLE a (k int PRIMARY KEY, v text MASKED WITH DEFAULT)",
                         "Invalid Cannot mask columns because dynamic data masking is not enabled. You can "
                         "enable it with the dynamic_data_masking_enabled property on cassandra.yaml"},
                    Case{"CREATE TABLE a (k int PRIMARY KEY) PARTITION BY KEY(v) PARTITIONS 97",
                         "Invalid Undefined column name v in table ks.a"},
                    Case{"CREATE TABLE a (k int PRIMARY KEY) TABLEGROUP = g",
                         "Invalid Unknown table group 'g' in keyspace ks"},
                    Case{"CREATE TABLE a (k int PRIMARY KEY, v int) WITH COMPACT STORAGE",
                         "Invalid COMPACT STORAGE tables are not supported"}));

TEST_F(DdlCreateTableTest, NamesAreChecked) {
  EXPECT_EQ(Run("CREATE TABLE \"t-2\" (k int PRIMARY KEY)"),
            "ConfigError ks.t-2: Table name must not be empty or not contain non-alphanumeric-underscore characters "
            "(got \"t-2\")");
  const std::string longest(222, 't');
  EXPECT_EQ(Run("CREATE TABLE " + longest + "x (k int PRIMARY KEY)"),
            "ConfigError ks." + longest +
                "x: Table name must not be more than 222 characters long (got 223 characters for \"" + longest +
                "x\")");
  EXPECT_EQ(Run("CREATE TABLE " + longest + " (k int PRIMARY KEY)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE htable1$family1 (k int PRIMARY KEY)"), "ok");
}
TEST_F(DdlCreateTableTest, ErrorsPointAtTheFault) {
  const std::string text = "CREATE TABLE a (k int, v nosuch, PRIMARY KEY (k))";
  const Result<DdlResult> result = Try(text);
  ASSERT_TRUE(result.error().range.has_value());
  EXPECT_EQ(text.substr(result.error().range->begin, result.error().range->end - result.error().range->begin),
            "nosuch");
}
TEST_F(DdlCreateTableTest, FrozenReachesInwards) {
  EXPECT_EQ(Run("CREATE TYPE w (a int)"), "ok");
  EXPECT_EQ(
      Run("CREATE TABLE t (k frozen<map<text, frozen<w>>> PRIMARY KEY, b tuple<int, tuple<w, list<set<int>>>>, "
          "c frozen<list<tuple<int, w>>>, d list<frozen<tuple<int>>>, e frozen<list<list<w>>>, f set<vector<int, 2>>, "
          "g map<text, frozen<w>>, h w, v vector<list<int>, 3>, x frozen<vector<int, 2>>)"),
      "ok");
  EXPECT_EQ(TypeOf("t", "k"), "frozen<map<text, frozen<w>>>");
  EXPECT_EQ(TypeOf("t", "b"), "frozen<tuple<int, frozen<tuple<frozen<w>, frozen<list<frozen<set<int>>>>>>>>");
  EXPECT_EQ(TypeOf("t", "c"), "frozen<list<frozen<tuple<int, frozen<w>>>>>");
  EXPECT_EQ(TypeOf("t", "d"), "list<frozen<tuple<int>>>");
  EXPECT_EQ(TypeOf("t", "e"), "frozen<list<frozen<list<frozen<w>>>>>");
  EXPECT_EQ(TypeOf("t", "f"), "set<vector<int, 2>>");
  EXPECT_EQ(TypeOf("t", "g"), "map<text, frozen<w>>");
  EXPECT_EQ(TypeOf("t", "h"), "w");
  EXPECT_EQ(TypeOf("t", "v"), "vector<list<int>, 3>");
  EXPECT_EQ(TypeOf("t", "x"), "vector<int, 2>");
}
TEST_F(DdlCreateTableTest, JavaClassesOfScalars) {
  EXPECT_EQ(Run("CREATE TABLE t (k 'org.apache.cassandra.db.marshal.Int32Type' PRIMARY KEY, v 'UTF8Type')"), "ok");
  EXPECT_EQ(TypeOf("t", "k"), "int");
  EXPECT_EQ(TypeOf("t", "v"), "text");
}
TEST_F(DdlCreateTableTest, BoundedBlobs) {
  EXPECT_EQ(Run("CREATE TABLE t (k varbinary(1024) PRIMARY KEY, v varbinary(1048576), w longblob)"), "ok");
  EXPECT_EQ(TypeOf("t", "k"), "blob");
  EXPECT_EQ(Table("t")->Find("k")->type->bytes_max, 1024u);
  EXPECT_EQ(Table("t")->Find("w")->type->bytes_max, 536870912u);
}
TEST_F(DdlCreateTableTest, NonFrozenUserTypesHoldNoCollections) {
  EXPECT_EQ(Run("CREATE TYPE w (a list<int>)"), "ok");
  EXPECT_EQ(Run("CREATE TABLE a (k int PRIMARY KEY, v w)"),
            "Invalid Non-frozen UDTs with nested non-frozen collections are not supported");
  EXPECT_EQ(Run("CREATE TABLE a (k int PRIMARY KEY, v frozen<w>)"), "ok");
}
TEST_F(DdlCreateTableTest, UnchangedTablesAreShared) {
  EXPECT_EQ(Run("CREATE TABLE a (k int PRIMARY KEY)"), "ok");
  const TablePtr before = Table("a");
  EXPECT_EQ(Run("CREATE TABLE b (k int PRIMARY KEY)"), "ok");
  EXPECT_EQ(Table("a"), before);
}
TEST_F(DdlCreateTableTest, TruncateGivesNewStorage) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"), "ok");
  const SchemaPtr after = ApplyTruncate(schema_, *Table("t"), [] { return StorageId{777}; });
  EXPECT_EQ(after->FindTable("ks", "t")->storage_id, 777u);
  EXPECT_EQ(after->FindTable("ks", "t")->id, Table("t")->id);
  EXPECT_NE(after->version, schema_->version);
  EXPECT_EQ(Table("t")->storage_id, 100u);
}

}  // namespace
}  // namespace widerow
