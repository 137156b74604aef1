// The rules few-values and skewed-values, which find rows that are not spread evenly over the values of the partition
// key.
#include <algorithm>

#include "advise/clock.h"
#include "advise/columns.h"
#include "advise/growth.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

// Returns up to two fixes. One makes the clustering column that spreads the rows best the only column of the partition
// key. The other adds a bucket column to the partition key; the server merges the buckets when it reads.
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

// Returns the share of keys that first appeared in the second half of the observed time; 0 if the rows were imported.
double NewKeys(const TableSample& sample) {
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const SampledPartition& partition : sample.partitions) {
    begin = std::min(begin, partition.first_written);
    end = std::max(end, partition.last_written);
  }
  if (end - begin < kImportMicros) return 0;
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

bool AllOf(const TableFacts& table, bool (*holds)(const ColumnSchema& column)) {
  return std::ranges::all_of(PartitionKeyColumns(table), [&](uint32_t i) { return holds(table.column(i)); });
}

// True if few values of the partition key are no fault, because the key is designed to have many values: it gets new
// values as time passes, or it spreads rows over buckets.
bool HasManyValuesByDesign(const TableFacts& table) {
  size_t buckets = 0;
  for (const uint32_t i : PartitionKeyColumns(table)) {
    if (Scatters(table.derivation(i)) || IsTimeWindow(table, i) || PeriodOf(table, i)) return true;
    buckets += IsBucketName(table.column(i).name) ? 1 : 0;
  }
  // Bucket columns divide the rows of each value of the other columns of the key. A key that consists of bucket columns
  // alone is designed to have many values only if it has more than kFewEnds values.
  if (buckets == 0) return false;
  return buckets < table.table->partition_key_size || SpreadOf(table).keys > static_cast<double>(kFewEnds);
}

// True if the times in the rows show that the partition that grows fastest stays small for ten years. Examples are a
// calendar and a history of few events.
bool GrowsSlowly(const TableFacts& table) {
  constexpr double kDaysToCount = 3'650;
  const std::optional<Growth> growth = ClusteringClock(table) ? MeasureGrowth(table) : std::nullopt;
  return growth && growth->rows_per_day * kDaysToCount < static_cast<double>(kPartitionRowsWarn);
}

// Appends the finding few-values if the declared key shows that there are few values. Called if there are too few rows
// to count the values.
void DeclaredFewValues(const Facts& facts, const TableFacts& table, Findings& out) {
  const TableSchema& schema = *table.table;
  if (schema.clustering_size == 0 || !AllOf(table, IsEnumeration)) return;
  const bool all_boolean =
      AllOf(table, [](const ColumnSchema& column) { return column.type->kind == TypeKind::kBoolean; });
  Finding finding = About(table, "few-values", all_boolean ? Severity::kWarning : Severity::kInfo,
                          all_boolean ? Confidence::kDeclared : Confidence::kSuspected, PartitionKeyColumns(table));
  finding.evidence = all_boolean ? "the partition key " + JoinNames(finding.columns) + " has " +
                                       Count(uint64_t{1} << schema.partition_key_size) + " values"
                                 : StrCat("by its name the partition key ", JoinNames(finding.columns),
                                          " is an enumeration; ", Count(kRowsOfEnumeration), " rows under at most ",
                                          Times(kVeryFewKeys), " values would prove it");
  finding.why = "the table has only one partition for each value of the key, and each of them grows without end";
  finding.fix = SpreadFix(facts, table);
  out.push_back(std::move(finding));
}

// True if there are enough rows to say that the key has few values. A key named user_id needs more rows than a key
// named status, because a development database may have only a few users.
bool EnoughRows(const TableFacts& table, const Spread& spread) {
  const uint64_t rows = table.sample.rows_total;
  if (rows >= kRowsToCount) return spread.keys <= kFewKeys && spread.mean_rows >= kRowsPerFewKey;
  if (spread.keys > kVeryFewKeys) return false;
  if (AllOf(table, IsEnumeration)) return rows >= kRowsOfEnumeration;
  const bool identifiers = !AllOf(table, [](const ColumnSchema& column) { return !IsIdentifier(column); });
  const uint32_t first = table.table->partition_key_size;
  const bool without_end =
      IsIdentifier(table.column(first)) || ClockOf(table, first) || spread.keys <= static_cast<double>(kFewEnds);
  return !identifiers && without_end && rows >= kRowsToJudge && spread.mean_rows >= kRowsPerFewKey;
}

}  // namespace

void FindFewValues(const Facts& facts, const TableFacts& table, Findings& out) {
  const TableSample& sample = table.sample;
  if (HasManyValuesByDesign(table)) return;
  const Spread spread = SpreadOf(table);
  if (sample.empty() || !spread.exact || table.table->clustering_size == 0 || !EnoughRows(table, spread)) {
    if (sample.rows_total < kRowsToCount) DeclaredFewValues(facts, table, out);
    return;
  }
  constexpr double kGrowing = 0.2;
  if (NewKeys(sample) > kGrowing || GrowsSlowly(table) || SameRowsInEachPartition(table)) return;
  const bool critical = spread.keys <= kVeryFewKeys && sample.rows_total >= kRowsToCount;
  Finding finding = About(table, "few-values", critical ? Severity::kCritical : Severity::kWarning,
                          Confidence::kMeasured, PartitionKeyColumns(table));
  finding.evidence = Plural(sample.rows_total, "row") + " under " +
                     Plural(static_cast<uint64_t>(spread.keys), "value") + " of " + JoinNames(finding.columns) + ": " +
                     Count(static_cast<uint64_t>(spread.mean_rows)) + " rows each on average";
  finding.why =
      "rows and load can be spread over at most this many partitions, and every partition grows with the table";
  finding.fix = SpreadFix(facts, table);
  out.push_back(std::move(finding));
}

void FindSkewedValues(const Facts& facts, const TableFacts& table, Findings& out) {
  const TableSample& sample = table.sample;
  const Spread spread = SpreadOf(table);
  if (spread.largest == nullptr || sample.rows_total < kRowsToJudge || spread.keys < 2) return;
  const double rows = static_cast<double>(spread.largest->rows);
  const double times_mean = spread.mean_rows > 0 ? rows / spread.mean_rows : 0;
  const bool few_rows = sample.rows_total < kRowsToCount;
  const double share_min = few_rows ? kSkewedShareCritical : kSkewedShare;
  const bool large_share =
      spread.largest_share >= share_min && times_mean >= kSkewedTimesMean && (!few_rows || spread.keys > kVeryFewKeys);
  const bool giant = spread.largest->rows >= kGiantRows && times_mean >= kGiantTimesMean;
  if (!large_share && !giant) return;
  const bool critical = spread.largest_share >= kSkewedShareCritical && !few_rows;
  Finding finding = About(table, "skewed-values", critical ? Severity::kCritical : Severity::kWarning,
                          Confidence::kMeasured, PartitionKeyColumns(table));
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
