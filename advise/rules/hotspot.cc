// tail-hotspot and hot-partition: writes that all go to one place.
#include <algorithm>
#include <cmath>

#include "advise/columns.h"
#include "advise/redesign.h"
#include "advise/rules.h"
#include "advise/text.h"
#include "advise/thresholds.h"
#include "advise/values.h"
#include "base/text.h"

namespace widerow::advise {

namespace {

constexpr const char* kBuckets = "16";

// Returns a fix with a new first column in the partition key, which also decides the partitions of a table in key
// order.
std::string WithLeading(const Facts& facts, const TableFacts& table, std::string_view suffix, const std::string& wanted,
                        const std::string& type, const std::string& expression) {
  Redesign design(facts, table, suffix);
  const std::string added = design.FreeColumn(wanted);
  std::vector<std::string> key = design.partition_key();
  key.insert(key.begin(), added);
  design.AddDerived(added, type, expression).SetPartitionKey(key);
  if (table.in_key_order()) {
    // Text keys start with sixteen partitions, by the first hex digit. Bucket keys start with one partition, which is
    // divided as it grows.
    const std::string of =
        type == "text" ? QuoteIdentifier(added) : QuoteIdentifier(added) + ", " + QuoteIdentifier(key[1]);
    design.SetPartitioning("PARTITION BY RANGE (" + of + ")" + (type == "text" ? " PARTITIONS 16" : ""));
  }
  return design.Create();
}

std::string SpreadFix(const Facts& facts, const TableFacts& table, uint32_t leading) {
  const std::string column = QuoteIdentifier(table.column(leading).name);
  const std::string bucketed =
      WithLeading(facts, table, "bucketed", "bucket", "int", StrCat("bucket(", column, ", ", kBuckets, ")"));
  if (table.column(leading).type->kind == TypeKind::kTimestamp) return bucketed;
  const TypeKind kind = table.column(leading).type->kind;
  if (!IsInteger(kind) && !IsText(kind)) return bucketed;
  return WithLeading(facts, table, "hashed", "hash_prefix", "text", "hash_prefix(" + column + ", 4)") + " " + bucketed;
}

// Returns the heat map's shape that shows sequential writes; null if it shows none.
const HeatWords* SequentialWrites(const TableFacts& table) {
  const auto found = std::ranges::find_if(table.heat.shapes, [](const HeatWords& shape) {
    return shape.of_writes && shape.shape == "sequential" && shape.share >= kSequentialShare &&
           shape.operations >= kRowsToJudge;
  });
  return found == table.heat.shapes.end() ? nullptr : &*found;
}

// Examines a table in key order: writes go to its end if the leading column rises with time.
void InKeyOrder(const Facts& facts, const TableFacts& table, Findings& out) {
  const uint32_t leading = table.partition_columns.empty() ? 0 : table.partition_columns[0];
  if (leading >= table.table->partition_key_size || Scatters(table.derivation(leading))) return;
  const std::optional<Tail> tail = MeasureTail(table, leading);
  const bool is_time = IsTimeWindow(table, leading);
  const HeatWords* const sequential = SequentialWrites(table);
  const bool in_tail = tail && tail->share >= kTailShare;
  if (!is_time && !in_tail && sequential == nullptr) return;

  const bool import = !is_time && tail && tail->written_span < kImportMicros;
  Finding finding = About(table, "tail-hotspot", import ? Severity::kInfo : Severity::kCritical, {leading});
  const std::string& name = finding.columns[0];
  if (is_time) finding.evidence = "the leading key column " + name + " is a time, and partitions are ranges of it";
  if (tail) {
    if (!finding.evidence.empty()) finding.evidence += "; ";
    finding.evidence += StrCat(Percent(tail->share), " of the newest tenth of ", Count(tail->rows),
                               " sampled rows are in the last tenth of the range of ", name,
                               " (10 % if writes were spread); they were written within ", Span(tail->written_span));
  }
  uint64_t writes = 0;
  for (const MapEntry& entry : table.map) writes += entry.writes;
  if (table.map.size() > 1 && writes > kRowsToJudge) {
    finding.evidence +=
        StrCat("; the last of ", Count(table.map.size()), " partitions took ",
               Percent(static_cast<double>(table.map.back().writes) / static_cast<double>(writes)), " of the writes");
  }
  if (sequential != nullptr)
    finding.evidence += (finding.evidence.empty() ? "heat map: " : "; heat map: ") + sequential->words;
  finding.why = import ? "rows that come in key order all go to one partition; for a single import, shuffle them or "
                         "load with several workers; "
                         "if they always come in this order, change the key"
                       : "every write goes to the end of the key range: one partition does all the work, splitting it "
                         "does not help, and the others are idle";
  finding.fix = SpreadFix(facts, table, leading);
  out.push_back(std::move(finding));
}

bool IsPeriodName(std::string_view name) {
  return HasWord(name, {"day", "date", "month", "week", "hour", "year", "minute", "yyyymm", "yyyymmdd", "dt"});
}

// Examines a token table: if the whole partition key is a period of time, one partition at a time is written.
void ByPeriod(const Facts& facts, const TableFacts& table, Findings& out) {
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    if (!IsTimeWindow(table, i) && !(IsPeriodName(table.column(i).name) && table.derivation(i) == nullptr)) return;
    columns.push_back(i);
  }
  if (table.table->clustering_size == 0) return;
  const Spread spread = SpreadOf(table);
  const bool judged = table.sample.rows_total >= kRowsToJudge;
  if (judged && spread.mean_rows < kRowsPerFewKey) return;
  const bool series = ClusteringTime(table).has_value();
  Finding finding = About(table, "tail-hotspot", judged || series ? Severity::kWarning : Severity::kInfo, columns);
  finding.evidence = "the partition key " + JoinNames(finding.columns) + " is a period of time and nothing else";
  if (judged) {
    finding.evidence +=
        StrCat(": ", Plural(table.sample.rows_total, "row"), " in ", Count(static_cast<uint64_t>(spread.keys)),
               " partitions, ", Times(spread.mean_rows), " in each on average");
  }
  finding.why =
      "all writes of a period go to its partition: one partition, on one node, takes all writes until the "
      "next period";
  // Use the column that distinguishes rows of one moment, if there is one.
  uint32_t source = table.table->partition_key_size;
  for (uint32_t i = 0; i < table.table->clustering_size; ++i) {
    const uint32_t column = table.table->partition_key_size + i;
    if (!IsTime(table.column(column).type->kind)) source = column;
  }
  Redesign design(facts, table, "bucketed");
  const std::string bucket = design.FreeColumn("bucket");
  std::vector<std::string> key = design.partition_key();
  key.push_back(bucket);
  design.AddDerived(bucket, "int", StrCat("bucket(", QuoteIdentifier(table.column(source).name), ", ", kBuckets, ")"))
      .SetPartitionKey(key);
  finding.fix = design.Create();
  out.push_back(std::move(finding));
}

}  // namespace

void FindHotPartition(const Facts& facts, const TableFacts& table, Findings& out) {
  for (const HotPartition& hot : table.heat.hot) {
    const bool writes = hot.writes_a_second - hot.writes_error >= kHotWrites;
    if (!writes && hot.reads_a_second - hot.reads_error < kHotReads) continue;
    std::vector<uint32_t> columns;
    for (uint32_t i = 0; i < table.table->partition_key_size; ++i) columns.push_back(i);
    Finding finding = About(table, "hot-partition", Severity::kWarning, columns);
    const double rate = writes ? hot.writes_a_second : hot.reads_a_second;
    const auto error = static_cast<uint64_t>(std::ceil(writes ? hot.writes_error : hot.reads_error));
    finding.evidence = StrCat("partition ", hot.key, " had ", Count(static_cast<uint64_t>(rate)),
                              error == 0 ? "" : " ± " + Count(error), writes ? " writes" : " reads",
                              " a second (managed services allow ",
                              Count(static_cast<uint64_t>(writes ? kHotWrites : kHotReads)), ")");
    finding.why =
        "one partition is on one node, whatever the others do: divide the key, or keep what everybody reads in a cache";
    if (writes && table.table->clustering_size > 0 && table.layout != Layout::kList && table.layout != Layout::kHash) {
      Redesign design(facts, table, "bucketed");
      const std::string bucket = design.FreeColumn("bucket");
      std::vector<std::string> key = design.partition_key();
      key.push_back(bucket);
      design
          .AddDerived(bucket, "int",
                      StrCat("bucket(", QuoteIdentifier(table.table->clustering(0).name), ", ", kBuckets, ")"))
          .SetPartitionKey(key);
      finding.fix = design.Create();
    }
    out.push_back(std::move(finding));
    return;  // The hottest partition only.
  }
}

void FindTailHotspot(const Facts& facts, const TableFacts& table, Findings& out) {
  if (table.in_key_order()) {
    InKeyOrder(facts, table, out);
  } else {
    ByPeriod(facts, table, out);
  }
}

}  // namespace widerow::advise
