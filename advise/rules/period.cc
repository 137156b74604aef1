// The rule tail-hotspot for tables by token. If the partition key is a period of time and nothing else, all writes of a
// moment go to one partition.
#include <algorithm>

#include "advise/calendar.h"
#include "advise/clock.h"
#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

// Returns the number of rows that the table gets in a day, computed from the times in its keys; nullopt if the keys
// hold no times.
std::optional<double> RowsPerDay(const TableFacts& table) {
  const std::optional<uint32_t> column = ClusteringClock(table);
  const uint32_t source = column.value_or(0);
  const std::optional<Clock> clock = ClockOf(table, source);
  if (!clock || table.sample.rows_total == 0) return std::nullopt;
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const ByteView value : ValuesOf(table, source)) {
    const std::optional<int64_t> time = TimeOf(*clock, *table.column(source).type, value);
    if (!time) continue;
    first = std::min(first, *time);
    last = std::max(last, *time);
  }
  if (last - first < kHourMicros) return std::nullopt;
  return static_cast<double>(table.sample.rows_total) * static_cast<double>(kDayMicros) /
         static_cast<double>(last - first);
}

std::string Bucketed(const Facts& facts, const TableFacts& table) {
  // The bucket is computed from the last clustering column that is no time, if there is one. Rows of one moment can
  // have different values in this column.
  uint32_t source = table.table->partition_key_size;
  for (uint32_t i = source; i < table.key_columns(); ++i) {
    if (!IsTime(table.column(i).type->kind)) source = i;
  }
  Redesign design(facts, table, "bucketed");
  const std::string bucket = design.FreeColumn("bucket");
  std::vector<std::string> key = design.partition_key();
  key.push_back(bucket);
  design.AddDerived(bucket, "int", StrCat("bucket(", QuoteIdentifier(table.column(source).name), ", 16)"))
      .SetPartitionKey(key);
  return design.Create();
}

}  // namespace

void FindPeriodHotspot(const Facts& facts, const TableFacts& table, Findings& out) {
  if (table.in_key_order() || table.table->clustering_size == 0) return;
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    if (!PeriodOf(table, i)) return;
    columns.push_back(i);
  }
  const Spread spread = SpreadOf(table);
  const bool judged = table.sample.rows_total >= kRowsToJudge;
  const bool series = ClusteringClock(table).has_value();
  if (!series && judged && (spread.mean_rows < kRowsPerFewKey || SameRowsInEachPartition(table))) return;
  const std::optional<double> rate = RowsPerDay(table);
  const bool slow = rate && *rate < kSlowRowsPerDay;
  const bool proven = !slow && (judged || series);
  Finding finding = About(table, "tail-hotspot", proven ? Severity::kWarning : Severity::kInfo,
                          !proven  ? Confidence::kSuspected
                          : judged ? Confidence::kMeasured
                                   : Confidence::kDeclared,
                          columns);
  finding.evidence = "the partition key " + JoinNames(finding.columns) + " is a period of time and nothing else";
  if (judged) {
    finding.evidence +=
        StrCat(": ", Plural(table.sample.rows_total, "row"), " in ", Count(static_cast<uint64_t>(spread.keys)),
               " partitions, ", Times(spread.mean_rows), " in each on average");
  }
  if (rate) finding.evidence += "; " + Times(*rate) + " rows a day";
  if (!proven)
    finding.evidence += StrCat("; ", slow ? "more than " + Times(kSlowRowsPerDay) : Count(kRowsToJudge),
                               slow ? " rows a day" : " rows", " would prove a hot spot");
  finding.why =
      "all writes of a period go to its partition: one partition, on one node, takes all writes until the "
      "next period";
  finding.fix = Bucketed(facts, table);
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
