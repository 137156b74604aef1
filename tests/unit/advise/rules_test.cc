// Tests the rules of ADVISE. The tests write the facts about a table themselves, because tables with such data would
// need gigabytes, clusters or months.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/advise.h"
#include "types/value_bytes.h"

namespace widerow::advise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kDay = 86'400'000'000;

Bytes Int(int64_t value) { return EncodeInteger(TypeKind::kInt, value); }

class AdviseRules : public ::testing::Test {
 protected:
  struct Declared {
    std::string name;
    TypeKind type;
    ColumnKind kind;
  };
  static constexpr ColumnKind kPartition = ColumnKind::kPartitionKey, kClustering = ColumnKind::kClustering,
                              kRegular = ColumnKind::kRegular;

  static TableFacts Table(const std::vector<Declared>& columns) {
    auto table = std::make_shared<TableSchema>();
    table->keyspace = "ks";
    table->name = "t";
    for (const Declared& column : columns) {
      uint32_t& count = column.kind == kPartition ? table->partition_key_size : table->clustering_size;
      const uint32_t position = column.kind == kRegular ? 0 : count++;
      table->columns.push_back(
          {.name = column.name, .kind = column.kind, .position = position, .type = ScalarType(column.type)});
    }
    TableFacts facts;
    facts.derivations.resize(columns.size());
    for (uint32_t i = 0; i < table->partition_key_size; ++i) facts.partition_columns.push_back(i);
    facts.table = std::move(table);
    return facts;
  }

  // Adds a partition `key` with `rows` rows. One of them is in the sample, written at `at`.
  static void Add(TableFacts& facts, int64_t key, uint64_t rows, int64_t at) {
    TableSample& sample = facts.sample;
    sample.partitions.push_back(
        {.key = {Int(key)}, .rows = rows, .bytes = rows * 100, .first_written = at, .last_written = at});
    sample.rows.push_back(
        {.partition = static_cast<uint32_t>(sample.partitions.size() - 1), .clustering = {}, .written = at});
    for (uint32_t i = 0; i < facts.table->clustering_size; ++i) sample.rows.back().clustering.push_back(Int(key));
    sample.rows_total += rows;
    sample.bytes_total += rows * 100;
    sample.partitions_total += 1;
    sample.all_partitions = true;
  }

  // Returns the finding with this code. The test fails if there is none.
  static Finding Found(const TableFacts& facts, const std::string& code) {
    for (Finding& finding : All(facts)) {
      if (finding.code == code) return finding;
    }
    ADD_FAILURE() << "no " << code;
    return {};
  }
  static bool Has(const TableFacts& facts, const std::string& code) {
    return std::ranges::any_of(All(facts), [&](const Finding& finding) { return finding.code == code; });
  }
  static Findings All(const TableFacts& facts) {
    Facts all;
    all.tables.push_back(facts);
    return Advise(all);
  }
};

// A published example: three nodes have 3, 2 and 2 of seven partitions. The imbalance is (3 - 2) / 3 = 33 %.
TEST_F(AdviseRules, PartitionCountsAreJudgedByTheDocumentsArithmetic) {
  TableFacts facts = Table({{"k", TypeKind::kBlob, kPartition}, {"v", TypeKind::kInt, kRegular}});
  facts.layout = Layout::kKey;
  const auto with = [&](uint32_t n) {
    facts.partition_count = n;
    return facts;
  };
  EXPECT_THAT(Found(with(7), "partition-count").evidence,
              HasSubstr("7 partitions: fewer than 23; the fuller node has more than the emptier one by 33 % over 3"));
  EXPECT_THAT(Found(with(7), "partition-count").fix, HasSubstr("PARTITION BY KEY (k) PARTITIONS 23"));
  EXPECT_THAT(Found(with(64), "partition-count").evidence, HasSubstr("even"));
  EXPECT_THAT(Found(with(64), "partition-count").fix, HasSubstr("PARTITIONS 97"));
  // 99 is odd and large enough, but not prime.
  EXPECT_EQ(Found(with(99), "partition-count").severity, Severity::kInfo);
  EXPECT_THAT(Found(with(1'001), "partition-count").fix, HasSubstr("PARTITIONS 997"));
  for (const uint32_t good : {23U, 59U, 97U, 193U, 389U, 997U})
    EXPECT_FALSE(Has(with(good), "partition-count")) << good;
  // If a partition has at most 100 GB, 8 TB need at least 80 partitions.
  facts.map.push_back({.name = "p0", .rows = 1, .bytes = 8'000'000'000'000});
  EXPECT_THAT(Found(with(59), "partition-count").evidence, HasSubstr("too few for 8 TB at up to 100 GB each"));
  EXPECT_THAT(Found(with(59), "partition-count").fix, HasSubstr("PARTITIONS 97"));
}

// In a table partitioned by ranges of the key, all writes go to the last partition if the keys rise with time.
TEST_F(AdviseRules, ATailIsFoundInKeyOrderOnlyAndWhereKeysRise) {
  TableFacts facts = Table({{"order_no", TypeKind::kInt, kPartition}, {"v", TypeKind::kInt, kRegular}});
  for (int i = 0; i < 500; ++i) Add(facts, i, 10, i * kDay / 10);
  EXPECT_FALSE(Has(facts, "tail-hotspot"));
  facts.layout = Layout::kRange;
  const Finding tail = Found(facts, "tail-hotspot");
  EXPECT_EQ(tail.severity, Severity::kCritical);
  EXPECT_THAT(tail.evidence, HasSubstr("100 % of the newest tenth of 500 sampled rows are in the last tenth"));
  EXPECT_THAT(tail.fix, HasSubstr("hash_prefix(order_no, 4)"));
  EXPECT_THAT(tail.fix, HasSubstr("bucket(order_no, 16)"));

  TableFacts scattered = Table({{"card_id", TypeKind::kInt, kPartition}, {"v", TypeKind::kInt, kRegular}});
  scattered.layout = Layout::kRange;
  for (int i = 0; i < 500; ++i) Add(scattered, i * 7'919 % 500, 10, i * kDay / 10);
  EXPECT_FALSE(Has(scattered, "tail-hotspot"));

  TableFacts import = Table({{"id", TypeKind::kInt, kPartition}, {"v", TypeKind::kInt, kRegular}});
  import.layout = Layout::kRange;
  for (int i = 0; i < 500; ++i) Add(import, i, 10, i * 1'000);
  EXPECT_EQ(Found(import, "tail-hotspot").severity, Severity::kInfo);
}

TEST_F(AdviseRules, ALeadingTimeNeedsNoData) {
  TableFacts facts = Table({{"at", TypeKind::kTimestamp, kPartition}, {"host", TypeKind::kText, kClustering}});
  facts.layout = Layout::kRange;
  EXPECT_EQ(Found(facts, "tail-hotspot").severity, Severity::kCritical);
}

// One value of the partition key has 10 GB of data.
TEST_F(AdviseRules, LargePartitionsAreReportedByRowsAndBytes) {
  TableFacts facts = Table({{"device", TypeKind::kInt, kPartition}, {"n", TypeKind::kInt, kClustering}});
  for (int i = 0; i < 1'000; ++i) Add(facts, i, 1'000, i * kDay);
  EXPECT_FALSE(Has(facts, "oversize-partition"));
  Add(facts, 1'000, 150'000, 0);
  EXPECT_EQ(Found(facts, "oversize-partition").severity, Severity::kWarning);
  EXPECT_THAT(Found(facts, "oversize-partition").evidence, HasSubstr("device = 1000 has 150,000 rows, about 15 MB"));
  Add(facts, 1'001, 120'000'000, 0);
  EXPECT_EQ(Found(facts, "oversize-partition").severity, Severity::kCritical);
  EXPECT_THAT(Found(facts, "oversize-partition").evidence, HasSubstr("12 GB"));
}

// The figures are from a document. If one value has a tenth of all records, the skew is severe. If one value has some
// thousands of records and the table has a hundred million, the skew is not severe.
TEST_F(AdviseRules, SkewIsJudgedByTheShareOfOneValue) {
  TableFacts facts = Table({{"k", TypeKind::kInt, kPartition}, {"c", TypeKind::kInt, kClustering}});
  for (int i = 0; i < 90'000; ++i) Add(facts, i, 1'000, i);
  EXPECT_FALSE(Has(facts, "skewed-values"));
  Add(facts, 90'000, 5'000, 0);
  EXPECT_FALSE(Has(facts, "skewed-values"));
  Add(facts, 90'001, 10'000'000, 0);
  EXPECT_THAT(Found(facts, "skewed-values").evidence, HasSubstr("10,000,000 rows, 10 % of the table"));
}

TEST_F(AdviseRules, AJoinedColumnInKeyOrderIsTakenApart) {
  TableFacts facts = Table({{"k", TypeKind::kText, kPartition}, {"v", TypeKind::kInt, kRegular}});
  facts.layout = Layout::kRange;
  // These four rows are from a document. 54/a100 comes after 54/a1001, because ':' sorts above the digits.
  std::vector<std::string> keys = {"000016:a100:66661", "000054:a100:6777", "000054:a1001:6777", "000167:a101:283408"};
  for (int i = 0; i < 60; ++i) keys.push_back("000" + std::to_string(200 + i) + ":b" + std::to_string(100 + i) + ":7");
  for (const std::string& key : keys) {
    Add(facts, 0, 1, 0);
    facts.sample.partitions.back().key = {key};
  }
  const Finding finding = Found(facts, "order-breaking-splice");
  EXPECT_THAT(finding.evidence, HasSubstr("'000054:a100:6777' should come before '000054:a1001:6777'"));
  EXPECT_THAT(finding.evidence, HasSubstr("the connector ':' sorts above"));
  for (SampledPartition& partition : facts.sample.partitions) std::ranges::replace(partition.key[0], ':', ',');
  EXPECT_FALSE(Has(facts, "order-breaking-splice"));
}

TEST_F(AdviseRules, CommonPrefixesMatterInKeyOrder) {
  TableFacts facts = Table({{"k", TypeKind::kText, kPartition}, {"v", TypeKind::kInt, kRegular}});
  for (int i = 0; i < 200; ++i) {
    Add(facts, i, 1, 0);
    facts.sample.partitions.back().key = {"user_" + std::to_string(i * 7'919 % 1'000)};
  }
  EXPECT_FALSE(Has(facts, "common-prefix"));
  facts.layout = Layout::kRange;
  EXPECT_THAT(Found(facts, "common-prefix").evidence, HasSubstr("begin with 'user_'"));
}

TEST_F(AdviseRules, BucketsOfTheKeyItselfDivideNothing) {
  TableFacts facts = Table(
      {{"k", TypeKind::kInt, kPartition}, {"bucket", TypeKind::kInt, kPartition}, {"c", TypeKind::kInt, kClustering}});
  const auto bucket_of = [](const std::string& column) {
    FunctionCall call;
    call.name.name.text = "bucket";
    call.arguments = {Term{ColumnRef{Identifier{column}}, {}}, Term{Literal{Literal::Kind::kInteger, "16"}, {}}};
    return std::make_shared<const Term>(Term{call, {}});
  };
  facts.derivations[1] = bucket_of("k");
  EXPECT_THAT(Found(facts, "degenerate-bucket").evidence,
              HasSubstr("bucket is computed from k, which is in the partition key itself"));
  facts.derivations[1] = bucket_of("c");
  EXPECT_FALSE(Has(facts, "degenerate-bucket"));
  // All rows have the bucket 0. This happens if the column c, from which the bucket is computed, has whole hours: 3,600
  // seconds are a multiple of 16.
  for (int i = 0; i < 200; ++i) {
    Add(facts, i, 100, i);
    facts.sample.partitions.back().key = {Int(i), Int(0)};
  }
  EXPECT_THAT(Found(facts, "degenerate-bucket").evidence, HasSubstr("20,000 rows use 1 of 16 buckets of c"));
}

TEST_F(AdviseRules, TheHeatMapsWordsAreEvidence) {
  TableFacts facts = Table({{"k", TypeKind::kInt, kPartition}, {"c", TypeKind::kInt, kClustering}});
  facts.layout = Layout::kRange;
  facts.heat.shapes.push_back({.of_writes = true,
                               .shape = "sequential",
                               .share = 0.92,
                               .operations = 500,
                               .words = "92 % of writes went beyond all keys written before"});
  EXPECT_FALSE(Has(facts, "tail-hotspot"));  // There are too few rows to judge.
  facts.heat.shapes[0].operations = 50'000;
  EXPECT_THAT(Found(facts, "tail-hotspot").evidence,
              HasSubstr("heat map: 92 % of writes went beyond all keys written before"));
  facts.heat.hot.push_back({.key = "k = 7", .reads_a_second = 10, .writes_a_second = 2'400});
  EXPECT_THAT(Found(facts, "hot-partition").evidence, HasSubstr("partition k = 7 had 2,400 writes a second"));
  EXPECT_THAT(Found(facts, "hot-partition").fix, HasSubstr("PRIMARY KEY ((k, bucket), c)"));
  facts.heat.hot[0].writes_error = 1'400.5;
  EXPECT_FALSE(Has(facts, "hot-partition")) << "there may have been fewer than 1,000";
  facts.heat.hot[0].writes_error = 1'400;
  EXPECT_THAT(Found(facts, "hot-partition").evidence, HasSubstr("k = 7 had 2,400 ± 1,400 writes a second"));
  facts.heat.hot[0] = {.key = "k = 7", .reads_a_second = 4'000, .reads_error = 1'001};
  EXPECT_FALSE(Has(facts, "hot-partition"));
  facts.heat.hot[0].reads_error = 1'000;
  EXPECT_TRUE(Has(facts, "hot-partition"));
  // Of several hot partitions, the hottest is reported: here the one with four times the bound.
  facts.heat.hot.push_back({.key = "k = 8", .reads_a_second = 3'500, .writes_a_second = 4'000});
  facts.heat.hot.push_back({.key = "k = 9", .reads_a_second = 9'000});
  EXPECT_THAT(Found(facts, "hot-partition").evidence, HasSubstr("k = 8 had 4,000 writes"));
}

TEST_F(AdviseRules, UnderAStrictProfileFixesKeepToCql) {
  TableFacts table = Table({{"order_no", TypeKind::kInt, kPartition}, {"v", TypeKind::kInt, kRegular}});
  table.layout = Layout::kRange;
  for (int i = 0; i < 500; ++i) Add(table, i, 10, i * kDay / 10);
  Facts facts;
  facts.extensions = false;
  facts.tables.push_back(table);
  for (const Finding& finding : Advise(facts)) {
    EXPECT_THAT(finding.fix, Not(HasSubstr("GENERATED")));
    EXPECT_THAT(finding.fix, Not(HasSubstr("PARTITION BY")));
  }
}

}  // namespace
}  // namespace widerow::advise
