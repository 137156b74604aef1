// Tests the options of a table (WITH …): each is checked, and stored in its field of TableOptions.
#include "tests/unit/planner/ddl_fixture.h"

namespace widerow {
namespace {

class DdlTableOptionsTest : public DdlTest {
 protected:
  // Runs CREATE TABLE t … WITH `with` and returns its answer. An earlier table `t` is dropped first.
  std::string With(const std::string& with) {
    Run("DROP TABLE IF EXISTS t");
    return Run("CREATE TABLE t (k int, c int, PRIMARY KEY (k, c)) WITH " + with);
  }
  const TableOptions& Options() { return Table("t")->options; }
};
using Map = std::map<std::string, std::string>;

TEST_F(DdlTableOptionsTest, DefaultsAreCassandras) {
  EXPECT_EQ(Run("CREATE TABLE t (k int PRIMARY KEY)"), "ok");
  EXPECT_EQ(Options(), TableOptions());
}
TEST_F(DdlTableOptionsTest, ScalarsAreRead) {
  EXPECT_EQ(
      With("comment = 'it''s' AND default_time_to_live = 60 AND gc_grace_seconds = '100' AND bloom_filter_fp_chance = "
           "'0.5' "
           "AND crc_check_chance = 0.25 AND min_index_interval = 64 AND max_index_interval = 128 AND cdc = true AND "
           "memtable_flush_period_in_ms = 5 AND allow_auto_snapshot = false AND incremental_backups = 'no' AND "
           "read_repair = 'none' AND memtable = 'trie' AND extensions = {'a': 'b'}"),
      "ok");
  TableOptions expected;
  expected.comment = "it's";
  expected.default_time_to_live = 60;
  expected.gc_grace_seconds = 100;
  expected.bloom_filter_fp_chance = 0.5;
  expected.crc_check_chance = 0.25;
  expected.min_index_interval = 64;
  expected.max_index_interval = 128;
  expected.cdc = true;
  expected.memtable_flush_period_in_ms = 5;
  expected.allow_auto_snapshot = false;
  expected.incremental_backups = false;
  expected.read_repair = "NONE";
  expected.memtable = "trie";
  expected.extensions = {{"a", "b"}};
  EXPECT_EQ(Options(), expected);
}
TEST_F(DdlTableOptionsTest, RefusalsAreCassandras) {
  const std::pair<const char*, const char*> cases[] = {
      {"foo = 1", "SyntaxError Unknown property 'foo'"},
      {"read_repair_chance = 0.1", "SyntaxError Unknown property 'read_repair_chance'"},
      {"comment = 'a' AND comment = 'b'", "SyntaxError Multiple definitions for property 'comment'"},
      {"comment = {'a': 'b'}", "SyntaxError Invalid value for property 'comment'. It should be a string"},
      {"default_time_to_live = -1", "ConfigError default_time_to_live must be greater than or equal to 0 (got -1)"},
      {"default_time_to_live = 630720001",
       "ConfigError default_time_to_live must be less than or equal to 630720000 (got 630720001)"},
      {"default_time_to_live = 'abc'", "SyntaxError Invalid integer value abc for 'default_time_to_live'"},
      {"gc_grace_seconds = 1.0", "SyntaxError Invalid integer value 1.0 for 'gc_grace_seconds'"},
      {"gc_grace_seconds = 99999999999", "SyntaxError Invalid integer value 99999999999 for 'gc_grace_seconds'"},
      {"gc_grace_seconds = -1", "ConfigError gc_grace_seconds must be greater than or equal to 0 (got -1)"},
      {"bloom_filter_fp_chance = 0",
       "ConfigError bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got 0.0)"},
      {"bloom_filter_fp_chance = 0.00000001",
       "ConfigError bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got 1.0E-8)"},
      {"bloom_filter_fp_chance = 1.1",
       "ConfigError bloom_filter_fp_chance must be larger than 6.71E-5 and less than or equal to 1.0 (got 1.1)"},
      {"bloom_filter_fp_chance = 'abc'", "SyntaxError Invalid double value abc for 'bloom_filter_fp_chance'"},
      {"crc_check_chance = -0.1",
       "ConfigError crc_check_chance must be larger than or equal to 0 and smaller than or equal to 1.0 (got -0.1)"},
      {"min_index_interval = 0", "ConfigError min_index_interval must be greater than or equal to 1 (got 0)"},
      {"max_index_interval = 100",
       "ConfigError max_index_interval must be greater than or equal to min_index_interval (128) (got 100)"},
      {"memtable_flush_period_in_ms = -1",
       "ConfigError memtable_flush_period_in_ms must be greater than or equal to 0 (got -1)"},
      {"memtable = 'abc'", "ConfigError Memtable configuration \"abc\" not found."},
      {"cdc = 'abc'",
       "SyntaxError Invalid boolean value abc for 'cdc'. Positive values can be '1', 'true' or 'yes'. Negative values "
       "can be '0', 'false' or 'no'."},
      {"caching = 'ALL'", "SyntaxError Invalid value for property 'caching'. It should be a map."},
      {"caching = {'keys': 'x'}",
       "ConfigError Invalid value 'x' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed"},
      {"caching = {'foo': 'x'}",
       "ConfigError Invalid caching sub-options [foo]: only 'keys' and 'rows_per_partition' are allowed"},
      {"caching = {'rows_per_partition': '-1'}",
       "ConfigError Invalid value '-1' for caching sub-option 'rows_per_partition': only 'ALL', 'NONE', and integer "
       "values are allowed"},
  };
  for (const auto& [with, expected] : cases) EXPECT_EQ(With(with), expected) << with;
}
TEST_F(DdlTableOptionsTest, SpeculativeRetryIsNormalised) {
  const std::pair<const char*, const char*> cases[] = {{"99PERCENTILE", "99p"},
                                                       {"99.5p", "99.5p"},
                                                       {"ALWAYS", "ALWAYS"},
                                                       {"none", "NEVER"},
                                                       {"10ms", "10ms"},
                                                       {"2.5ms", "2ms"},
                                                       {"99.12345p", "99.1235p"},
                                                       {"MIN(99p,10ms)", "MIN(99p,10ms)"},
                                                       {"min(99p, 10.25MS)", "MIN(99p,10ms)"}};
  for (const auto& [written, stored] : cases) {
    EXPECT_EQ(
        With("speculative_retry = '" + std::string(written) + "' AND additional_write_policy = '" + written + "'"),
        "ok")
        << written;
    EXPECT_EQ(Options().speculative_retry, stored);
    EXPECT_EQ(Options().additional_write_policy, stored);
  }
  const std::pair<const char*, const char*> refused[] = {
      {"abc", "ConfigError Invalid value abc for option 'speculative_retry'"},
      {"p", "ConfigError Invalid value p for option 'speculative_retry'"},
      {"MIN(99p,always)", "ConfigError Invalid value MIN(99p,always) for option 'speculative_retry'"},
      {"", "ConfigError Invalid value  for option 'speculative_retry'"},
      {"101p",
       "ConfigError Invalid value 101p for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)"},
      {"0p", "ConfigError Invalid value 0p for PERCENTILE option 'speculative_retry': must be between (0.0 and 100.0)"},
      {"max(99p, 95p)",
       "ConfigError Invalid value max(99p, 95p) for option 'speculative_retry': MIN()/MAX() arguments should be of "
       "different types, but both are of type PERCENTILE"}};
  for (const auto& [written, answer] : refused)
    EXPECT_EQ(With("speculative_retry = '" + std::string(written) + "'"), answer);
}
TEST_F(DdlTableOptionsTest, CachingIsCompleted) {
  EXPECT_EQ(With("caching = {'keys': 'none', 'rows_per_partition': 'all'}"), "ok");
  EXPECT_EQ(Options().caching, (Map{{"keys", "NONE"}, {"rows_per_partition", "ALL"}}));
  EXPECT_EQ(With("caching = {'rows_per_partition': 100}"), "ok");
  EXPECT_EQ(Options().caching, (Map{{"keys", "ALL"}, {"rows_per_partition", "100"}}));
}
TEST_F(DdlTableOptionsTest, CompactionIsCheckedAndCompleted) {
  EXPECT_EQ(With("compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 100}"), "ok");
  EXPECT_EQ(Options().compaction, (Map{{"class", "org.apache.cassandra.db.compaction.LeveledCompactionStrategy"},
                                       {"max_threshold", "32"},
                                       {"min_threshold", "4"},
                                       {"sstable_size_in_mb", "100"}}));
  EXPECT_EQ(Options().bloom_filter_fp_chance, 0.1);
  EXPECT_EQ(With("compaction = {'class': 'UnifiedCompactionStrategy'}"), "ok");
  EXPECT_EQ(Options().compaction.size(), 1u);
  const std::pair<const char*, const char*> refused[] = {
      {"{'class': 'FooStrategy'}",
       "ConfigError Unable to find compaction strategy class 'org.apache.cassandra.db.compaction.FooStrategy'"},
      {"{'class': ''}", "ConfigError Unable to find compaction strategy class 'org.apache.cassandra.db.compaction.'"},
      {"{'min_threshold': 4}", "ConfigError Missing sub-option 'class' for the 'compaction' option"},
      {"{'class': 'SizeTieredCompactionStrategy', 'foo': 4}",
       "ConfigError Properties specified [foo] are not understood by SizeTieredCompactionStrategy"},
      {"{'class': 'UnifiedCompactionStrategy', 'min_threshold': 4}",
       "ConfigError Properties specified [min_threshold] are not understood by UnifiedCompactionStrategy"},
      {"{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 1}",
       "ConfigError Min compaction threshold cannot be less than 2 (got 1)"},
      {"{'class': 'SizeTieredCompactionStrategy', 'max_threshold': 0, 'min_threshold': 2}",
       "ConfigError Disabling compaction by setting compaction thresholds to 0 has been removed, set the compaction "
       "option 'enabled' to false instead."},
      {"{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 64}",
       "ConfigError Min compaction threshold (got 64) cannot be greater than max compaction threshold (got 32)"},
      {"{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 'abc'}",
       "ConfigError Invalid value abc for 'min_threshold' compaction sub-option - must be an integer"}};
  for (const auto& [map, answer] : refused) EXPECT_EQ(With(std::string("compaction = ") + map), answer) << map;
}
TEST_F(DdlTableOptionsTest, CompressionIsCheckedAndCompleted) {
  EXPECT_EQ(With("compression = {'class': 'ZstdCompressor', 'compression_level': 5}"), "ok");
  EXPECT_EQ(Options().compression, (Map{{"chunk_length_in_kb", "16"},
                                        {"class", "org.apache.cassandra.io.compress.ZstdCompressor"},
                                        {"compression_level", "5"}}));
  EXPECT_EQ(With("compression = {'class': 'LZ4Compressor', 'min_compress_ratio': 2}"), "ok");
  EXPECT_EQ(Options().compression.at("min_compress_ratio"), "2.0");
  for (const char* off : {"{}", "{'enabled': 'false'}"}) {
    EXPECT_EQ(With(std::string("compression = ") + off), "ok");
    EXPECT_EQ(Options().compression, (Map{{"enabled", "false"}}));
  }
  const std::pair<const char*, const char*> refused[] = {
      {"{'chunk_length_in_kb': 64}", "ConfigError Missing sub-option 'class' for the 'compression' option."},
      {"{'enabled': 'true'}", "ConfigError Missing sub-option 'class' for the 'compression' option."},
      {"{'class': 'FooCompressor'}",
       "ConfigError Could not create Compression for type org.apache.cassandra.io.compress.FooCompressor"},
      {"{'class': 'LZ4Compressor', 'chunk_length_in_kb': 63}", "ConfigError chunk_length_in_kb must be a power of 2"},
      {"{'class': 'LZ4Compressor', 'chunk_length_in_kb': 0}",
       "ConfigError Invalid negative or null chunk_length_in_kb"},
      {"{'class': 'LZ4Compressor', 'chunk_length_in_kb': 'x'}", "ConfigError Invalid value for chunk_length_in_kb"},
      {"{'class': 'LZ4Compressor', 'min_compress_ratio': 0.5}",
       "ConfigError min_compress_ratio can either be 0 or greater than or equal to 1"},
      {"{'class': 'ZstdCompressor', 'compression_level': 'x'}",
       "ConfigError ZstdCompressor.create() threw an error: java.lang.NumberFormatException For input string: \"x\""},
      {"{'class': 'ZstdCompressor', 'compression_level': 99}",
       "ConfigError ZstdCompressor.create() threw an error: java.lang.IllegalArgumentException compression_level=99 is "
       "invalid"},
      {"{'class': 'LZ4Compressor', 'foo': 63}", "ConfigError Unknown compression options foo"},
      {"{'class': 'LZ4Compressor', 'enabled': 'false'}",
       "ConfigError If the 'enabled' option is set to false no other options must be specified"}};
  for (const auto& [map, answer] : refused) EXPECT_EQ(With(std::string("compression = ") + map), answer) << map;
}

}  // namespace
}  // namespace widerow
