// The rule tail-hotspot for tables in key order. It finds two faults. If the first key column rises or falls with time,
// all new rows go to one end of the key range. If a column of few values comes before a time, all new rows go to a few
// places. rules/period.cc has the rule for tables by token.
#include <algorithm>
#include <set>

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

constexpr const char* kBuckets = "16";

// Returns a fix that adds a first column to the partition key. The new column is also the first one of PARTITION BY.
std::string WithLeading(const Facts& facts, const TableFacts& table, std::string_view suffix, const std::string& wanted,
                        const std::string& type, const std::string& expression) {
  Redesign design(facts, table, suffix);
  const std::string added = design.FreeColumn(wanted);
  std::vector<std::string> key = design.partition_key();
  key.insert(key.begin(), added);
  design.AddDerived(added, type, expression).SetPartitionKey(key);
  // A new text column holds hex digits, so the table starts with sixteen partitions, one for each first digit. With a
  // new bucket column, the table starts with one partition, which is divided as it grows.
  const std::string of =
      type == "text" ? QuoteIdentifier(added) : QuoteIdentifier(added) + ", " + QuoteIdentifier(key[1]);
  design.SetPartitioning("PARTITION BY RANGE (" + of + ")" + (type == "text" ? " PARTITIONS 16" : ""));
  return design.Create();
}

std::string SpreadFix(const Facts& facts, const TableFacts& table, uint32_t leading) {
  const std::string column = QuoteIdentifier(table.column(leading).name);
  const std::string bucketed =
      WithLeading(facts, table, "bucketed", "bucket", "int", StrCat("bucket(", column, ", ", kBuckets, ")"));
  const TypeKind kind = table.column(leading).type->kind;
  if (!IsInteger(kind) && !IsText(kind)) return bucketed;
  return WithLeading(facts, table, "hashed", "hash_prefix", "text", "hash_prefix(" + column + ", 4)") + " " + bucketed;
}

// Returns the description of sequential writes in the heat map; null if there is none.
const HeatWords* SequentialWrites(const TableFacts& table) {
  const auto found = std::ranges::find_if(table.heat.shapes, [](const HeatWords& shape) {
    return shape.of_writes && shape.shape == "sequential" && shape.share >= kSequentialShare &&
           shape.operations >= kRowsToJudge;
  });
  return found == table.heat.shapes.end() ? nullptr : &*found;
}

// Says in what order the values of the leading column are written, as far as the table's facts show it.
struct Order {
  std::optional<Clock> clock;
  std::optional<Tail> tail;
  const HeatWords* sequential = nullptr;
  bool in_tail = false;  // New rows are at one end of the range of values.
  bool import = false;   // The rows were written so fast that they may be an import of sorted rows.

  bool proven() const { return clock || ((in_tail || sequential != nullptr) && !import); }
};

Order OrderOf(const TableFacts& table, uint32_t leading) {
  Order order{
      .clock = ClockOf(table, leading), .tail = MeasureTail(table, leading), .sequential = SequentialWrites(table)};
  order.in_tail = order.tail && order.tail->share >= kTailShare;
  order.import = order.tail && order.tail->written_span < kImportMicros;
  return order;
}

// The number of rows that a date has in a table whose key begins with a date. kNone: the key does not begin with a
// date, or a date has many rows or an unknown number.
enum class Dates { kNone, kOneRowEach, kFewRowsEach };
Dates DatesOf(const TableFacts& table, uint32_t leading, const Clock& clock) {
  if (clock.precision < kDayMicros || !clock.whole) return Dates::kNone;
  if (table.key_columns() == 1) return Dates::kOneRowEach;
  if (table.sample.empty()) return Dates::kNone;
  // The number of partitions of a date is estimated from the sampled partitions, which are a random choice.
  const size_t dates = CountDistinct(ValuesOf(table, leading, table.sample.partitions.size()));
  const double partitions_of_date =
      static_cast<double>(table.sample.partitions.size()) / static_cast<double>(std::max<size_t>(dates, 1));
  const bool few = partitions_of_date * SpreadOf(table).mean_rows < kSlowRowsOfDay;
  return few ? Dates::kFewRowsEach : Dates::kNone;
}

std::string EvidenceOf(const TableFacts& table, const std::string& name, const Order& order) {
  std::string evidence;
  const auto add = [&](const std::string& text) { evidence += (evidence.empty() ? "" : "; ") + text; };
  if (order.clock && order.clock->form == Clock::Form::kType) {
    add("the leading key column " + name + " is a time, and partitions are ranges of it");
  } else if (order.clock) {
    add("the values of the leading key column " + name + " are times (" + order.clock->words +
        "), and partitions are ranges of it");
  }
  // The order of rows that were imported says nothing about later writes, unless the new rows are at one end.
  if (order.tail && (order.in_tail || !order.import)) {
    add(StrCat(Percent(order.tail->share), " of the newest tenth of ", Count(order.tail->rows),
               " sampled rows are in the ", order.tail->at_front ? "first" : "last", " tenth of the range of ", name,
               " (10 % if writes were spread); they were written within ", Span(order.tail->written_span)));
  }
  uint64_t writes = 0;
  for (const MapEntry& entry : table.map) writes += entry.writes;
  if (table.map.size() > 1 && writes > kRowsToJudge) {
    const bool first = order.tail && order.tail->at_front;
    const uint64_t of_end = first ? table.map.front().writes : table.map.back().writes;
    add(StrCat("the ", first ? "first" : "last", " of ", Count(table.map.size()), " partitions took ",
               Percent(static_cast<double>(of_end) / static_cast<double>(writes)), " of the writes"));
  }
  if (order.sequential != nullptr) add("heat map: " + order.sequential->words);
  return evidence;
}

// Appends the finding that writes go to one end of the table, because the leading column rises or falls with time.
void AtOneEnd(const Facts& facts, const TableFacts& table, uint32_t leading, const Order& order, Findings& out) {
  const Dates dates = order.clock ? DatesOf(table, leading, *order.clock) : Dates::kNone;
  if (dates == Dates::kOneRowEach) return;
  const bool proven = order.proven() && dates == Dates::kNone;
  const Confidence confidence = !proven                                                  ? Confidence::kSuspected
                                : order.clock && order.clock->form == Clock::Form::kType ? Confidence::kDeclared
                                                                                         : Confidence::kMeasured;
  Finding finding = About(table, "tail-hotspot", proven ? Severity::kCritical : Severity::kInfo, confidence, {leading});
  finding.evidence = EvidenceOf(table, finding.columns[0], order);
  finding.why =
      "every write goes to one end of the key range: one partition does all the work, splitting it does not "
      "help, and the others are idle";
  if (dates == Dates::kFewRowsEach) {
    finding.evidence +=
        "; a date has fewer than " + Times(kSlowRowsOfDay) + " rows; more rows a day would prove a hot spot";
    finding.why =
        "rows of new dates go to the end of the key range; a few rows a day, or dates loaded beforehand, make no "
        "load there";
  } else if (!proven) {
    finding.evidence += "; the same order over more than " + Span(kImportMicros) + " would prove a hot spot";
    finding.why =
        "rows that come in key order all go to one partition; for a single import, shuffle them or load with several "
        "workers; if they always come in this order, change the key";
  }
  finding.fix = SpreadFix(facts, table, leading);
  out.push_back(std::move(finding));
}

// Returns the first column of the partition key that holds times; nullopt if there is none, or if no other column comes
// before it.
std::optional<uint32_t> SecondClock(const TableFacts& table) {
  for (uint32_t i = 0; i < table.table->partition_key_size; ++i) {
    if (ClockOf(table, i)) return i == 0 ? std::nullopt : std::optional(i);
  }
  return std::nullopt;
}

// Appends the finding that writes go to a few places only: one for each combination of values of the columns before the
// time. A bucket of two values, for example, makes two such places.
void AtFewEnds(const Facts& facts, const TableFacts& table, Findings& out) {
  constexpr size_t kPartitionsToJudge = 50;
  const std::optional<uint32_t> time = SecondClock(table);
  if (!time) return;
  std::set<std::vector<Bytes>> heads;
  for (const SampledPartition& partition : table.sample.partitions)
    heads.emplace(partition.key.begin(), partition.key.begin() + *time);
  size_t ends = table.sample.partitions.size() < kPartitionsToJudge ? 0 : heads.size();
  const bool declared = *time == 1 && FunctionOf(table.derivation(0)) == "bucket";
  if (declared) ends = static_cast<size_t>(NumberArgument(table.derivation(0), 1).value_or(0));
  if (ends == 0 || ends > kFewEnds) return;
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i <= *time; ++i) columns.push_back(i);
  Finding finding = About(table, "tail-hotspot", Severity::kWarning,
                          declared ? Confidence::kDeclared : Confidence::kMeasured, columns);
  const std::string last = finding.columns.back();
  finding.columns.pop_back();
  finding.evidence = StrCat(JoinNames(finding.columns), " has ", Plural(ends, "value"), ", and the next key column ",
                            last, " is a time: all writes of a moment go to ", Plural(ends, "place"));
  finding.why = StrCat("a key range of each value grows at its end, so the load is divided by ", Count(ends),
                       " at most; ", kBuckets, " buckets divide it among as many partitions");
  finding.columns.push_back(last);
  Redesign design(facts, table, "bucketed");
  const std::string bucket = design.FreeColumn("bucket_of_" + std::string(kBuckets));
  std::vector<std::string> key = design.partition_key();
  key.insert(key.begin(), bucket);
  design.AddDerived(bucket, "int", StrCat("bucket(", QuoteIdentifier(last), ", ", kBuckets, ")"))
      .SetPartitionKey(key)
      .SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(bucket) + ", " + QuoteIdentifier(key[1]) + ")");
  finding.fix = design.Create();
  out.push_back(std::move(finding));
}

}  // namespace

void FindTailHotspot(const Facts& facts, const TableFacts& table, Findings& out) {
  if (!table.in_key_order()) return;
  const uint32_t leading = table.partition_columns.empty() ? 0 : table.partition_columns[0];
  if (leading >= table.table->partition_key_size) return;
  const Order order = Scatters(table.derivation(leading)) ? Order{} : OrderOf(table, leading);
  if (order.clock || order.in_tail || order.sequential != nullptr) {
    AtOneEnd(facts, table, leading, order, out);
  } else {
    AtFewEnds(facts, table, out);
  }
}

}  // namespace widerow::advise
