// DESCRIBE must print the same texts as Cassandra 5.0.9 for the same tables.
#include "planner/ddl/describe/describe.h"
#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

using DdlDescribeTest = DdlTest;

// The options that DESCRIBE prints for a table that sets none.
constexpr const char* kDefaults = R"(additional_write_policy = '99p'
    AND allow_auto_snapshot = true
    AND bloom_filter_fp_chance = 0.01
    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}
    AND cdc = false
    AND comment = ''
    AND compaction = {'class': 'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy', 'max_threshold': '32', 'min_threshold': '4'}
    AND compression = {'chunk_length_in_kb': '16', 'class': 'org.apache.cassandra.io.compress.LZ4Compressor'}
    AND memtable = 'default'
    AND crc_check_chance = 1.0
    AND default_time_to_live = 0
    AND extensions = {}
    AND gc_grace_seconds = 864000
    AND incremental_backups = true
    AND max_index_interval = 2048
    AND memtable_flush_period_in_ms = 0
    AND min_index_interval = 128
    AND read_repair = 'BLOCKING'
    AND speculative_retry = '99p';)";

TEST_F(DdlDescribeTest, Keyspaces) {
  EXPECT_EQ(DescribeKeyspace(*schema_->FindKeyspace("ks")),
            "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}  AND "
            "durable_writes = true;");
  EXPECT_EQ(Run("CREATE KEYSPACE \"Ks2\" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 2} AND "
                "durable_writes = false"),
            "ok");
  EXPECT_EQ(DescribeKeyspace(*schema_->FindKeyspace("Ks2")),
            "CREATE KEYSPACE \"Ks2\" WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': '2'}  "
            "AND durable_writes = false;");
}
TEST_F(DdlDescribeTest, SingleKeyColumn) {
  EXPECT_EQ(Run("CREATE TABLE t (v int, k int PRIMARY KEY)"), "ok");
  EXPECT_EQ(DescribeTable(*Table("t")),
            std::string("CREATE TABLE ks.t (\n    k int PRIMARY KEY,\n    v int\n) WITH ") + kDefaults);
}
TEST_F(DdlDescribeTest, CompositeKeysAndOrder) {
  EXPECT_EQ(Run("CREATE TABLE a (k int, c int, d int, PRIMARY KEY (k, c, d)) WITH CLUSTERING ORDER BY (c DESC)"), "ok");
  EXPECT_EQ(DescribeTable(*Table("a")),
            std::string("CREATE TABLE ks.a (\n    k int,\n    c int,\n    d int,\n    PRIMARY KEY (k, c, d)\n) WITH "
                        "CLUSTERING ORDER BY (c DESC, d ASC)\n    AND ") +
                kDefaults);
  EXPECT_EQ(Run("CREATE TABLE b (k int, k2 int, PRIMARY KEY ((k, k2)))"), "ok");
  EXPECT_EQ(
      DescribeTable(*Table("b")),
      std::string("CREATE TABLE ks.b (\n    k int,\n    k2 int,\n    PRIMARY KEY ((k, k2))\n) WITH ") + kDefaults);
}
TEST_F(DdlDescribeTest, QuotesNames) {
  EXPECT_EQ(
      Run("CREATE TABLE \"Tab\" (\"K\" int, \"order\" int, c text, \"t t\" text, PRIMARY KEY ((\"K\", \"order\"), c))"),
      "ok");
  EXPECT_EQ(
      DescribeTable(*Table("Tab")),
      std::string("CREATE TABLE ks.\"Tab\" (\n    \"K\" int,\n    \"order\" int,\n    c text,\n    \"t t\" text,\n"
                  "    PRIMARY KEY ((\"K\", \"order\"), c)\n) WITH CLUSTERING ORDER BY (c ASC)\n    AND ") +
          kDefaults);
}
TEST_F(DdlDescribeTest, SimpleColumnsBeforeCollections) {
  EXPECT_EQ(Run("CREATE TABLE t (k int, c int, s text static, \"V\" frozen<map<int, list<text>>>, a set<int>, z u, y "
                "frozen<u>, PRIMARY KEY ((k), c))"),
            "ok");
  EXPECT_EQ(DescribeTable(*Table("t")), std::string("CREATE TABLE ks.t (\n    k int,\n    c int,\n    s text static,\n "
                                                    "   \"V\" frozen<map<int, frozen<list<text>>>>,\n"
                                                    "    y frozen<u>,\n    a set<int>,\n    z u,\n    PRIMARY KEY (k, "
                                                    "c)\n) WITH CLUSTERING ORDER BY (c ASC)\n    AND ") +
                                            kDefaults);
}
TEST_F(DdlDescribeTest, Options) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY) WITH comment = 'a''b' AND bloom_filter_fp_chance = 1 AND "
                "crc_check_chance = 0.00001 AND "
                "compression = {'class': 'DeflateCompressor', 'chunk_length_in_kb': '32', 'min_compress_ratio': '1.5'} "
                "AND gc_grace_seconds = 5"),
            "ok");
  const std::string text = DescribeTable(*Table("t"));
  for (const char* line : {"\n    AND comment = 'a''b'\n", "\n    AND bloom_filter_fp_chance = 1.0\n",
                           "\n    AND crc_check_chance = 1.0E-5\n",
                           "\n    AND compression = {'chunk_length_in_kb': '32', 'class': "
                           "'org.apache.cassandra.io.compress.DeflateCompressor', 'min_compress_ratio': '1.5'}\n",
                           "\n    AND gc_grace_seconds = 5\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}
TEST_F(DdlDescribeTest, InternalsShowIdAndDroppedColumns) {
  EXPECT_EQ(Run("CREATE TABLE y (k int, c int, a int, b int, s int static, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER "
                "BY (c DESC) AND id = 5a1c395e-b41f-11e5-9f22-ba0be0483c18"),
            "ok");
  EXPECT_EQ(Run("ALTER TABLE y DROP a USING TIMESTAMP 123456789"), "ok");
  EXPECT_EQ(Run("ALTER TABLE y DROP s USING TIMESTAMP 5"), "ok");
  EXPECT_EQ(Run("ALTER TABLE y ADD a int"), "ok");
  EXPECT_EQ(
      DescribeTable(*Table("y"), true),
      std::string("CREATE TABLE ks.y (\n    k int,\n    c int,\n    b int,\n    a int,\n    s int static,\n    PRIMARY "
                  "KEY (k, c)\n"
                  ") WITH ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18\n    AND CLUSTERING ORDER BY (c DESC)\n    AND ") +
          kDefaults +
          "\nALTER TABLE ks.y DROP a USING TIMESTAMP 123456789;\nALTER TABLE ks.y ADD a int;\nALTER TABLE ks.y DROP s "
          "USING TIMESTAMP 5;");
}
TEST_F(DdlDescribeTest, Types) {
  EXPECT_EQ(Run("CREATE TYPE \"U8\" (\"A\" int, \"my f\" frozen<u>)"), "ok");
  EXPECT_EQ(DescribeType(*schema_->FindKeyspace("ks")->types.at("U8")),
            "CREATE TYPE ks.\"U8\" (\n    \"A\" int,\n    \"my f\" frozen<u>\n);");
}
TEST_F(DdlDescribeTest, BoundedBlobsByTheirOwnNames) {
  EXPECT_EQ(
      Run("CREATE TABLE t (k varbinary(1024) PRIMARY KEY, a longblob, m map<varbinary(7), frozen<list<longblob>>>)"),
      "ok");
  const std::string text = DescribeTable(*Table("t"));
  EXPECT_NE(
      text.find("k varbinary(1024) PRIMARY KEY,\n    a longblob,\n    m map<varbinary(7), frozen<list<longblob>>>\n"),
      std::string::npos)
      << text;
}
TEST_F(DdlDescribeTest, WhatIsPrintedMakesTheSameTable) {
  EXPECT_EQ(Run("CREATE TABLE t (k frozen<map<text, frozen<u>>>, k2 ascii, c varbinary(9), s set<int> static, l "
                "list<frozen<tuple<int, u>>>, v vector<float, 3>, "
                "w u, PRIMARY KEY ((k, k2), c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x''y' AND "
                "default_time_to_live = 7 AND "
                "compaction = {'class': 'LeveledCompactionStrategy'} AND speculative_retry = 'MIN(99p,10ms)' AND "
                "caching = {'keys': 'none'}"),
            "ok");
  const std::string text = DescribeTable(*Table("t"), true);
  EXPECT_EQ(Run("DROP TABLE t"), "ok");
  EXPECT_EQ(Run(text), "ok");
  EXPECT_EQ(DescribeTable(*Table("t"), true), text);
}

}  // namespace
}  // namespace widerow
