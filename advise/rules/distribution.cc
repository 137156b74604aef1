// few-values and skewed-values: rows that do not spread over the partition key.
#include <algorithm>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

std::vector<uint32_t> PartitionKeyColumns(const TableFacts& table) {
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) columns.push_back(i);
  return columns;
}

bool HasBucket(const TableFacts& table) {
  return std::ranges::any_of(PartitionKeyColumns(table), [&](uint32_t i) {
    return Scatters(table.derivation(i)) || IsBucketName(table.column(i).name);
  });
}

// Returns two fixes: a partition key column that spreads well, and buckets of each value, which reads merge again.
std::string SpreadFix(const Facts& facts, const TableFacts& table) {
  std::string fix;
  if (const std::optional<uint32_t> best = BestSpreadColumn(table)) {
    const std::string& name = table.column(*best).name;
    Redesign design(facts, table, "by_" + name);
    std::vector<std::string> clustering = design.partition_key();
    for (const std::string& column : design.clustering()) {
      if (column != name && column != "-" + name) clustering.push_back(column);
    }
    design.SetPartitionKey({name}).SetClustering(clustering);
    if (table.layout == Layout::kRange) design.SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(name) + ")");
    if (table.layout == Layout::kKey || table.layout == Layout::kHash || table.layout == Layout::kList)
      design.SetPartitioning("");
    fix = design.Create();
  }
  if (table.table->clustering_size == 0 || table.layout == Layout::kList || table.layout == Layout::kHash) return fix;
  const std::string source = QuoteIdentifier(table.table->clustering(0).name);
  Redesign design(facts, table, "bucketed");
  const std::string bucket = design.FreeColumn("bucket");
  std::vector<std::string> key = design.partition_key();
  key.push_back(bucket);
  design.AddDerived(bucket, "int", "bucket(" + source + ", 16)").SetPartitionKey(key);
  const std::string bucketed = design.Create();
  return fix.empty() ? bucketed : bucketed.empty() ? fix : fix + " " + bucketed;
}

// Returns the share of keys that first appeared in the second half of the observed time.
double NewKeys(const TableSample& sample) {
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const SampledPartition& partition : sample.partitions) {
    begin = std::min(begin, partition.first_written);
    end = std::max(end, partition.last_written);
  }
  const int64_t middle = begin / 2 + end / 2;
  const auto fresh = std::ranges::count_if(sample.partitions,
                                           [&](const SampledPartition& each) { return each.first_written > middle; });
  return static_cast<double>(fresh) / static_cast<double>(sample.partitions.size());
}

bool IsEnumeration(const ColumnSchema& column) {
  const TypeKind kind = column.type->kind;
  if (kind == TypeKind::kBoolean) return true;
  if (!IsText(kind) && !IsInteger(kind)) return false;
  return HasWord(column.name, {"status", "type", "kind", "gender", "sex", "level", "severity", "priority", "country",
                               "state", "region", "category"});
}

// Finds few-values by the declaration alone.
void DeclaredFewValues(const Facts& facts, const TableFacts& table, Findings& out) {
  const TableSchema& schema = *table.table;
  if (schema.clustering_size == 0) return;
  bool all_boolean = true;
  for (const uint32_t i : PartitionKeyColumns(table)) {
    if (!IsEnumeration(table.column(i))) return;
    all_boolean = all_boolean && table.column(i).type->kind == TypeKind::kBoolean;
  }
  Finding finding =
      About(table, "few-values", all_boolean ? Severity::kWarning : Severity::kInfo, PartitionKeyColumns(table));
  finding.evidence = all_boolean ? "the partition key " + JoinNames(finding.columns) + " has " +
                                       Count(uint64_t{1} << schema.partition_key_size) + " values"
                                 : "by its name the partition key " + JoinNames(finding.columns) +
                                       " is an enumeration; there is too little data to count its values";
  finding.why = "the table has only one partition for each value of the key, and each of them grows without end";
  finding.fix = SpreadFix(facts, table);
  out.push_back(std::move(finding));
}

}  // namespace

void FindFewValues(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr uint64_t kRowsToCount = 10'000;
  const TableSample& sample = table.sample;
  if (HasBucket(table)) return;
  if (sample.rows_total < kRowsToCount) return DeclaredFewValues(facts, table, out);
  const Spread spread = SpreadOf(table);
  if (!spread.exact || spread.keys > kFewKeys || spread.mean_rows < kRowsPerFewKey || sample.empty()) return;
  for (const uint32_t i : PartitionKeyColumns(table)) {
    if (IsTimeWindow(table, i)) return;  // More values come with time.
  }
  constexpr double kGrowing = 0.2;
  if (NewKeys(sample) > kGrowing) return;
  const bool critical = spread.keys <= 10;
  Finding finding =
      About(table, "few-values", critical ? Severity::kCritical : Severity::kWarning, PartitionKeyColumns(table));
  finding.evidence = Plural(sample.rows_total, "row") + " under " + Count(static_cast<uint64_t>(spread.keys)) +
                     " values of " + JoinNames(finding.columns) + ": " +
                     Count(static_cast<uint64_t>(spread.mean_rows)) + " rows each on average";
  finding.why =
      "rows and load can be spread over at most this many partitions, and every partition grows with the table";
  finding.fix = SpreadFix(facts, table);
  out.push_back(std::move(finding));
}

void FindSkewedValues(const Facts& facts, const TableFacts& table, Findings& out) {
  const TableSample& sample = table.sample;
  const Spread spread = SpreadOf(table);
  constexpr uint64_t kRowsToCompare = 10'000;
  if (spread.largest == nullptr || sample.rows_total < kRowsToCompare || spread.keys < 2) return;
  const double rows = static_cast<double>(spread.largest->rows);
  const double times_mean = spread.mean_rows > 0 ? rows / spread.mean_rows : 0;
  const bool large_share = spread.largest_share >= kSkewedShare && times_mean >= kSkewedTimesMean;
  const bool giant = spread.largest->rows >= kGiantRows && times_mean >= kGiantTimesMean;
  if (!large_share && !giant) return;
  const bool critical = spread.largest_share >= kSkewedShareCritical;
  Finding finding =
      About(table, "skewed-values", critical ? Severity::kCritical : Severity::kWarning, PartitionKeyColumns(table));
  finding.evidence = ShownKey(table, *spread.largest) + " has " + (spread.largest->counted ? "" : "at least ") +
                     Plural(spread.largest->rows, "row") + ", " + Percent(spread.largest_share) + " of the table and " +
                     Times(times_mean) + " times the mean of " + (spread.exact ? "" : "about ") +
                     Plural(static_cast<uint64_t>(spread.keys), "key");
  finding.why =
      "one key's partition cannot be divided: its node takes this share of the load, however many nodes there are";
  finding.fix = SpreadFix(facts, table);
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
