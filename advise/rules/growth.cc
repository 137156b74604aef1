// The rules oversize-partition, unbounded-partition and no-ttl, which examine the size and the growth of partitions.
#include "advise/growth.h"

#include <algorithm>
#include <array>

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

// Returns the longest window in which a partition gets at most half as many rows as a partition may have.
const char* WindowFor(double rows_per_day) {
  struct Window {
    double days;
    const char* text;
  };
  constexpr std::array<Window, 5> kWindows = {{{30, "30d"}, {7, "7d"}, {1, "1d"}, {1.0 / 4, "6h"}, {1.0 / 24, "1h"}}};
  for (const Window& window : kWindows) {
    if (rows_per_day * window.days <= static_cast<double>(kPartitionRowsWarn) / 2) return window.text;
  }
  return kWindows.back().text;
}

// Returns a fix that adds a column to the partition key. If the first clustering column of a time type is a timestamp
// or a timeuuid, the new column is a window of this column. Otherwise, the new column is a bucket.
std::string DivideFix(const Facts& facts, const TableFacts& table, double rows_per_day) {
  if (table.table->clustering_size == 0) return "";
  Redesign design(facts, table, "windowed");
  std::vector<std::string> key = design.partition_key();
  const std::optional<uint32_t> time = ClusteringTime(table);
  const TypeKind kind = time ? table.column(*time).type->kind : TypeKind::kBlob;
  if (kind == TypeKind::kTimestamp || kind == TypeKind::kTimeuuid) {
    const std::string window = design.FreeColumn("period");
    key.push_back(window);
    design.AddDerived(
        window, "timestamp",
        StrCat("window(", QuoteIdentifier(table.column(*time).name), ", '", WindowFor(rows_per_day), "')"));
    return design.SetPartitionKey(key).Create();
  }
  Redesign bucketed(facts, table, "bucketed");
  const std::string bucket = bucketed.FreeColumn("bucket");
  key.push_back(bucket);
  bucketed.AddDerived(bucket, "int", "bucket(" + QuoteIdentifier(table.table->clustering(0).name) + ", 16)");
  return bucketed.SetPartitionKey(key).Create();
}

std::string PerDay(double rows) { return Count(static_cast<uint64_t>(rows)) + " rows a day"; }

// Returns the number of rows at which a partition is too large, because it has too many rows or too many bytes.
double RowsMax(const TableFacts& table) {
  const double row_bytes = MeanRowBytes(table), rows = static_cast<double>(kPartitionRowsWarn);
  return row_bytes > 0 ? std::min(rows, static_cast<double>(kPartitionBytesWarn) / row_bytes) : rows;
}

// Finds partitions that stop growing at the end of their period or by the TTL of their rows, but are too large by then.
void TooLargeAtItsEnd(const Facts& facts, const TableFacts& table, Findings& out) {
  const std::optional<int64_t> life = LifeOfPartition(table);
  const std::optional<Growth> growth = life ? MeasureGrowth(table) : std::nullopt;
  if (!growth) return;
  const double rows = growth->rows_per_day * static_cast<double>(*life) / static_cast<double>(kDayMicros);
  if (rows < RowsMax(table)) return;
  Finding finding =
      About(table, "oversize-partition", Severity::kWarning, Confidence::kMeasured, PartitionKeyColumns(table));
  finding.evidence = StrCat(ShownKey(table, *growth->partition), " gets ", PerDay(growth->rows_per_day),
                            "; a partition takes rows for ", Span(*life), ", and would then have about ",
                            Count(static_cast<uint64_t>(rows)), " (recommended: up to ", Count(kPartitionRowsWarn),
                            " rows, ", Size(kPartitionBytesWarn), ")");
  finding.why =
      "the period in the key, or the TTL, is too long for this rate of rows: a shorter period keeps partitions "
      "small";
  finding.fix = DivideFix(facts, table, growth->rows_per_day);
  out.push_back(std::move(finding));
}

}  // namespace

void FindOversizePartition(const Facts& facts, const TableFacts& table, Findings& out) {
  const Spread spread = SpreadOf(table);
  if (spread.largest == nullptr || table.table->clustering_size == 0) return;
  const uint64_t rows = spread.largest->rows;
  const auto bytes =
      std::max(spread.largest->bytes, static_cast<uint64_t>(MeanRowBytes(table) * static_cast<double>(rows)));
  if (rows < kPartitionRowsWarn && bytes < kPartitionBytesWarn) return TooLargeAtItsEnd(facts, table, out);
  Finding finding =
      About(table, "oversize-partition", bytes >= kPartitionBytesCritical ? Severity::kCritical : Severity::kWarning,
            Confidence::kMeasured, PartitionKeyColumns(table));
  const std::string at_least = spread.largest->counted ? "" : "at least ";
  finding.evidence = StrCat(ShownKey(table, *spread.largest), " has ", at_least, Plural(rows, "row"), ", ", at_least,
                            "about ", Size(bytes), " (recommended: up to ", Count(kPartitionRowsWarn), " rows, ",
                            Size(kPartitionBytesWarn), "; limit of a key value: ", Size(kPartitionBytesCritical), ")");
  const std::optional<Growth> growth = MeasureGrowth(table);
  if (growth) finding.evidence += "; partitions get up to " + PerDay(growth->rows_per_day);
  finding.why =
      "one partition-key value is never divided: it stays on one node, and repairs, scans and caches handle it whole";
  finding.fix = DivideFix(facts, table, growth ? growth->rows_per_day : 0);
  out.push_back(std::move(finding));
}

void FindUnboundedPartition(const Facts& facts, const TableFacts& table, Findings& out) {
  if (table.table->clustering_size == 0 || Expires(table) || IsDividedByTime(table)) return;
  const std::optional<uint32_t> time = ClusteringClock(table);
  const std::optional<Growth> growth = MeasureGrowth(table);
  if (!growth) {
    if (!time) return;
    Finding finding = About(table, "unbounded-partition", Severity::kInfo, Confidence::kSuspected, {*time});
    finding.evidence =
        StrCat("rows of a partition are told apart by the time ", finding.columns[0],
               "; no part of the partition key is a period, and rows do not expire; ", Count(kRowsToProject),
               " rows of one partition over an hour or more would prove its rate");
    finding.why =
        "a partition gets rows for as long as its key is in use; watch how fast, and divide it by period before it "
        "grows large";
    finding.fix = DivideFix(facts, table, 0);
    out.push_back(std::move(finding));
    return;
  }
  const double limit = RowsMax(table);
  const double days = (limit - static_cast<double>(growth->partition->rows)) / growth->rows_per_day;
  const bool soon = days <= kDaysToProject;
  if (!soon && !time) return;
  Finding finding = About(table, "unbounded-partition", soon ? Severity::kWarning : Severity::kInfo,
                          Confidence::kMeasured, PartitionKeyColumns(table));
  finding.evidence =
      StrCat(ShownKey(table, *growth->partition), " got ", Plural(growth->partition->rows, "row"), " in ",
             Span(growth->span), ", ", Count(static_cast<uint64_t>(growth->rows_per_day)),
             " a day; at that rate it has ", Count(static_cast<uint64_t>(limit)), " rows",
             days <= 0 ? " already" : " in " + Span(static_cast<int64_t>(days * static_cast<double>(kDayMicros))),
             ", and nothing ends it");
  finding.why = "a partition that grows for ever ends up slow to read and impossible to move";
  finding.fix = DivideFix(facts, table, growth->rows_per_day);
  out.push_back(std::move(finding));
}

void FindMissingTtl(const Facts& facts, const TableFacts& table, Findings& out) {
  const std::optional<uint32_t> time = ClusteringTime(table);
  const auto& compaction = table.table->options.compaction;
  const auto strategy = compaction.find("class");
  const bool by_window = strategy != compaction.end() && strategy->second.find("TimeWindow") != std::string::npos;
  if ((!time && !by_window) || Expires(table)) return;
  Finding finding = About(table, "no-ttl", by_window ? Severity::kWarning : Severity::kInfo, Confidence::kDeclared);
  if (time) finding.columns = {table.column(*time).name};
  finding.evidence = by_window ? "compaction is by time window, and neither the table nor a statement seen sets a TTL"
                               : "rows are ordered by the time " + finding.columns[0] +
                                     ", and neither the table nor a statement seen sets a TTL";
  finding.why = by_window
                    ? "on Cassandra, time windows are dropped whole once their rows have expired; rows that never "
                      "expire leave a window each for ever"
                    : "a time series grows for ever unless its rows expire or are moved to an archive";
  constexpr int64_t kYearSeconds = 31'536'000;
  finding.fix = table.exists
                    ? StrCat("ALTER TABLE ", FullName(*table.table), " WITH default_time_to_live = ", kYearSeconds, ";")
                    : Redesign(facts, table, "").SetTimeToLive(kYearSeconds).Create();
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
