// The rules missing-desc, full-scan-read, filtering-read, many-partitions-read, unused-clustering and queue, which
// examine how clients read and write the table.
#include <algorithm>

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

using Kind = StatementLoad::Kind;

std::string ShortText(const std::string& text) {
  constexpr size_t kTextMax = 200;
  return text.size() <= kTextMax ? text : text.substr(0, kTextMax) + "…";
}

double Ratio(const StatementLoad& load) {
  return static_cast<double>(load.rows_examined) / static_cast<double>(std::max<uint64_t>(load.rows_returned, 1));
}

std::string HowOften(const StatementLoad& load) {
  if (load.calls == 0) return ShortText(load.text);
  std::string out = Plural(load.calls, "call") + " of " + ShortText(load.text);
  if (load.rows_examined > 0) {
    out += StrCat(" examined ", Plural(load.rows_examined, "row"), " and returned ", Count(load.rows_returned), " (",
                  Times(Ratio(load)), " examined for each)");
  }
  return out;
}

// Returns kMeasured if calls of the statement were counted, and kDeclared if only its text is known.
Confidence GroundOf(const StatementLoad& load) {
  return load.calls > 0 ? Confidence::kMeasured : Confidence::kDeclared;
}

// True if the statement names the partitions that it reads.
bool NamesPartitions(const StatementLoad& load) {
  switch (load.access) {
    case Access::kRow:
    case Access::kSlice: return true;
    case Access::kPartitions: return !load.partition_in.empty();
    case Access::kIndex: return load.of_one_partition;
    case Access::kTokenRange:
    case Access::kScan: return false;
  }
  return false;
}

// Returns a text that says which rows a filter of the statement reads.
std::string RowsOfFilter(const StatementLoad& load) {
  if (NamesPartitions(load))
    return load.access == Access::kPartitions ? "within the partitions that IN names" : "within one partition";
  return load.access == Access::kIndex ? "over the rows that an index finds" : "over all partitions";
}

// Returns the end of a finding's evidence: it says how many rows would prove the suspected fault of a read of all rows.
std::string WouldBeLarge() { return "more than " + Count(kSmallTableRows) + " rows a call would prove a fault"; }

// Returns a number of rows. A filter within a partition is a fault only if a call examines at least this number of
// rows. The number is smaller if the filter is a range of times: then the key certainly has the wrong order.
uint64_t RowsToDrop(const TableFacts& table, const StatementLoad& load) {
  constexpr uint64_t kRows = 500, kRowsOfTime = 100;
  const bool time = !load.filters_by_equality && std::ranges::any_of(load.filter_columns, [&](uint32_t column) {
    return IsTime(table.column(column).type->kind);
  });
  return time ? kRowsOfTime : kRows;
}

// Returns the number of partitions that a call of the statement names. For IN ?, it is estimated from the number of
// rows that were read.
uint64_t PartitionsNamed(const TableFacts& table, const StatementLoad& load) {
  if (!load.names_list || load.calls == 0) return load.partitions_named;
  const double rows = table.table->clustering_size == 0 ? 1 : std::max(SpreadOf(table).mean_rows, 1.0);
  if (table.table->clustering_size > 0 && table.sample.empty()) return load.partitions_named;
  return std::max(load.partitions_named,
                  static_cast<uint64_t>(static_cast<double>(load.rows_examined / load.calls) / rows));
}

}  // namespace

void FindMissingDesc(const Facts& facts, const TableFacts& table, Findings& out) {
  uint64_t ordered = 0, reversed = 0;
  const StatementLoad* example = nullptr;
  for (const StatementLoad& load : table.load) {
    if (load.kind != Kind::kRead || load.access != Access::kSlice) continue;
    const uint64_t weight = std::max<uint64_t>(load.calls, 1);
    ordered += weight;
    if (!load.reversed) continue;
    reversed += weight;
    if (example == nullptr || load.calls > example->calls) example = &load;
  }
  if (example == nullptr || reversed * 10 < ordered * 8) return;
  const bool judged = reversed >= kCallsToJudge;
  std::vector<uint32_t> columns;
  for (uint32_t i = table.table->partition_key_size; i < table.key_columns(); ++i) columns.push_back(i);
  Finding finding = About(table, "missing-desc", judged ? Severity::kWarning : Severity::kInfo,
                          judged ? Confidence::kMeasured : Confidence::kDeclared, columns);
  finding.evidence = judged ? StrCat(Count(reversed), " of ", Plural(ordered, "read"),
                                     " of partitions went against the clustering order: ", ShortText(example->text))
                            : "the statement reads against the clustering order: " + ShortText(example->text);
  finding.why =
      "in the other order the newest rows come first without a reversal; here both directions cost the same, on "
      "Cassandra a reversed read costs more";
  Redesign design(facts, table, "newest_first");
  finding.fix = design.FlipClustering().Create();
  out.push_back(std::move(finding));
}

void FindFullScanRead(const Facts&, const TableFacts& table, Findings& out) {
  for (const StatementLoad& load : table.load) {
    if (load.kind != Kind::kRead || load.access != Access::kScan || load.filtered) continue;
    if (load.limited && load.calls < kCallsToJudge) continue;
    const bool often = load.calls >= kCallsToJudge, small = IsSmallRead(load);
    if (!often && load.calls > 0 && load.rows_examined < kRowsToJudge) continue;
    Finding finding = About(table, "full-scan-read", often && !small ? Severity::kWarning : Severity::kInfo,
                            small ? Confidence::kSuspected : GroundOf(load));
    finding.evidence =
        StrCat(HowOften(load), ": no part of the partition key (", QuoteIdentifier(table.table->partition_key(0).name),
               table.table->partition_key_size > 1 ? ", …" : "", ") is given");
    if (small) finding.evidence += "; " + WouldBeLarge();
    finding.why =
        load.counts ? "every partition on every node is read for one number; keep a counter, or count once for a report"
                    : "every partition on every node is read: right for an export, too slow for a request; give the "
                      "partition key, or read in token ranges";
    finding.fix = "SELECT * FROM " + FullName(*table.table) + " WHERE token(";
    for (uint32_t i = 0; i < table.table->partition_key_size; ++i)
      finding.fix += (i == 0 ? "" : ", ") + QuoteIdentifier(table.column(i).name);
    finding.fix +=
        ") >= -9223372036854775808 AND " + finding.fix.substr(finding.fix.find("token(")) + ") < -8070450532247928832;";
    out.push_back(std::move(finding));
  }
}

void FindFilteringRead(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr double kCriticalRatio = 1'000;
  constexpr uint64_t kCriticalRows = 10'000;  // The number of rows that a call examines.
  for (const StatementLoad& load : table.load) {
    if (load.kind != Kind::kRead || !load.filtered) continue;
    const bool in_partition = NamesPartitions(load);
    const uint64_t per_call = load.rows_examined / std::max<uint64_t>(load.calls, 1);
    const bool small = !in_partition && IsSmallRead(load);
    Severity severity = small ? Severity::kInfo : Severity::kWarning;
    if (in_partition &&
        (load.calls < kCallsToJudge || Ratio(load) < kExaminedPerReturned || per_call < RowsToDrop(table, load)))
      severity = Severity::kInfo;
    if (!in_partition && load.calls >= kCallsToJudge && Ratio(load) >= kCriticalRatio && per_call >= kCriticalRows)
      severity = Severity::kCritical;
    Finding finding =
        About(table, "filtering-read", severity, small ? Confidence::kSuspected : GroundOf(load), load.filter_columns);
    finding.evidence =
        StrCat(HowOften(load), ": ", finding.columns.empty() ? "a condition" : JoinNames(finding.columns),
               " is filtered, ", RowsOfFilter(load));
    if (small) finding.evidence += "; " + WouldBeLarge();
    finding.why =
        in_partition ? "rows of the partition are read and dropped; fine while partitions are small"
        : load.access == Access::kIndex
            ? "rows that the index finds are read and dropped: the cost grows with their number, not with the "
              "answer; a table keyed by what is asked for reads only the answer"
            : "rows are read to be dropped: the cost grows with the table, not with the answer; a table keyed "
              "by what is asked for reads only the answer";
    finding.fix = TableKeyedBy(facts, table, load.filter_columns);
    out.push_back(std::move(finding));
  }
}

void FindManyPartitionsRead(const Facts&, const TableFacts& table, Findings& out) {
  for (const StatementLoad& load : table.load) {
    if (load.kind != Kind::kRead || load.access != Access::kPartitions) continue;
    const uint64_t named = PartitionsNamed(table, load);
    if (named <= kPartitionsNamedWarn) continue;
    Finding finding = About(table, "many-partitions-read", Severity::kWarning,
                            load.names_list ? Confidence::kMeasured : Confidence::kDeclared, load.partition_in);
    finding.evidence = StrCat(HowOften(load), ": names ", load.names_list ? "about " : "", Count(named),
                              " partitions (recommended: up to ", Count(kPartitionsNamedWarn), ")");
    finding.why =
        "one node has to gather rows of many before it can answer, and the slowest decides; send one request a "
        "partition, at the same time";
    out.push_back(std::move(finding));
  }
}

void FindUnusedClustering(const Facts&, const TableFacts& table, Findings& out) {
  uint64_t calls = 0;
  std::vector<bool> used(table.table->columns.size(), false);
  for (const StatementLoad& load : table.load) {
    if (load.kind == Kind::kInsert) continue;
    calls += load.calls;
    for (const uint32_t column : load.clustering_used) used[column] = true;
    if (load.reversed || load.ordered || load.limited) {
      for (uint32_t i = 0; i < table.key_columns(); ++i) used[i] = true;
    }
  }
  if (calls < 10 * kCallsToJudge) return;
  for (uint32_t i = table.table->partition_key_size; i < table.key_columns(); ++i) {
    if (used[i] || table.derivation(i) != nullptr) continue;
    Finding finding = About(table, "unused-clustering", Severity::kInfo, Confidence::kMeasured, {i});
    finding.evidence =
        "none of " + Plural(calls, "statement call") + " seen restricts or orders by " + finding.columns[0];
    finding.why =
        "a clustering column that only makes rows unique is fine; a column that is not needed for this makes every key "
        "longer";
    out.push_back(std::move(finding));
    return;
  }
}

void FindQueue(const Facts& facts, const TableFacts& table, Findings& out) {
  uint64_t inserts = 0, deletes = 0, reads = 0;
  bool from_an_end = ClusteringClock(table).has_value();  // True if clients take rows from one end of a partition.
  for (const StatementLoad& load : table.load) {
    if (load.kind == Kind::kInsert) inserts += load.calls;
    if (load.kind == Kind::kDelete) deletes += load.calls;
    if (load.kind != Kind::kRead || load.access != Access::kSlice) continue;
    reads += load.calls;
    from_an_end = from_an_end || load.limited;
  }
  const bool few = inserts < kCallsToJudge || deletes < kCallsToJudge || reads < kCallsToJudge;
  if (table.table->clustering_size == 0 || few || deletes * 2 < inserts || !from_an_end) return;
  Finding finding = About(table, "queue", Severity::kWarning, Confidence::kMeasured);
  finding.evidence = StrCat("of ", Plural(inserts, "insert"), " seen ", Count(deletes),
                            " rows were deleted again, and ", Plural(reads, "read"), " went over their partitions");
  finding.why =
      "a table used as a queue fills partitions with the marks of deleted rows, which each read passes before it finds "
      "a live one; read from the last "
      "place on (WHERE … > the last key), divide by period and drop periods whole, or use a queue";
  const std::optional<uint32_t> time = ClusteringTime(table);
  if (time && table.column(*time).type->kind == TypeKind::kTimestamp) {
    Redesign design(facts, table, "by_period");
    const std::string period = design.FreeColumn("period");
    std::vector<std::string> key = design.partition_key();
    key.push_back(period);
    design.AddDerived(period, "timestamp", "window(" + QuoteIdentifier(table.column(*time).name) + ", '1h')")
        .SetPartitionKey(key)
        .SetTimeToLive(86'400);
    finding.fix = design.Create();
  }
  out.push_back(std::move(finding));
}

}  // namespace widerow::advise
