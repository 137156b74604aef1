// The rule numeric-text-key: numbers and times are stored as text in a key.
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

std::string WithType(const Facts& facts, const TableFacts& table, uint32_t column, std::string_view suffix,
                     const std::string& type) {
  const std::string& name = table.column(column).name;
  Redesign design(facts, table, suffix);
  design.SetType(name, type);
  if (column == 0 && table.in_key_order()) design.SetPartitioning("PARTITION BY RANGE (" + QuoteIdentifier(name) + ")");
  return design.Create();
}

// Returns the type that the column should have: date if all times are whole days, otherwise timestamp.
std::string TimeType(const Clock& clock) { return clock.precision >= kDayMicros ? "date" : "timestamp"; }

void TimeAsText(const Facts& facts, const TableFacts& table, uint32_t column, bool ordered, const Clock& clock,
                Findings& out) {
  const std::vector<ByteView> values = ValuesOf(table, column);
  const Type& type = *table.column(column).type;
  Finding finding =
      About(table, "numeric-text-key", ordered ? Severity::kWarning : Severity::kInfo, Confidence::kMeasured, {column});
  finding.evidence = StrCat("all ", Count(values.size()), " sampled values of ", finding.columns[0],
                            " are times, such as ", Shown(type, values[0]));
  finding.why = StrCat("a ", TimeType(clock),
                       " takes at most 8 bytes, is checked when it is written, and can be computed "
                       "with; text takes any value");
  if (ordered && !clock.sorts)
    finding.why += "; and as text these times do not sort as times do, so ranges and newest-first reads are wrong";
  finding.fix = WithType(facts, table, column, "timed", TimeType(clock));
  out.push_back(std::move(finding));
}

// True if at least 90 % of the numbers between the least and the greatest occur. `values` are digits of one length.
bool IsCountedUp(const std::vector<ByteView>& values, size_t distinct) {
  const auto [least, greatest] = std::ranges::minmax(values);
  const double range = std::stod(std::string(greatest)) - std::stod(std::string(least)) + 1;
  return distinct >= kValuesToJudge && static_cast<double>(distinct) >= 0.9 * range;
}

void DigitsAsText(const Facts& facts, const TableFacts& table, uint32_t column, bool ordered, Findings& out) {
  constexpr size_t kValues = 20, kLengths = 8;
  const std::vector<ByteView> values = ValuesOf(table, column);
  if (!std::ranges::all_of(values, [](ByteView value) { return IsDigits(value) && value.size() <= 18; })) return;
  // A text with leading zeros is padded on purpose, or it is a code and no number.
  const bool padded = std::ranges::any_of(values, [](ByteView value) { return value.size() > 1 && value[0] == '0'; });
  if (padded || values.empty()) return;
  const auto [shortest, longest] = std::ranges::minmax(values, {}, &ByteView::size);
  const bool same_length = shortest.size() == longest.size();
  const size_t distinct = CountDistinct(values);
  const bool code = IsCodeName(table.column(column).name);
  const bool wrong_order = ordered && !code && !same_length && values.size() >= kValues && distinct >= kLengths;
  // Numbers almost without gaps come from a client that counts. When they get one more digit, the new numbers sort
  // before the old ones, because texts are compared.
  const bool counted = ordered && !code && same_length && IsCountedUp(values, distinct);
  if (!wrong_order && distinct < kValuesToJudge) return;
  Finding finding = About(table, "numeric-text-key", wrong_order || counted ? Severity::kWarning : Severity::kInfo,
                          Confidence::kMeasured, {column});
  finding.evidence = "all " + Count(values.size()) + " sampled values of " + finding.columns[0] + " are numbers of " +
                     (same_length ? Count(longest.size()) : Count(shortest.size()) + " to " + Count(longest.size())) +
                     " digits";
  finding.why = std::string("a number takes at most 8 bytes, its digits one each") +
                (wrong_order ? "; and as text '10' sorts before '9', so ranges and newest-first reads are wrong"
                 : counted ? "; the numbers are counted up, and the first with a digit more will sort before all others"
                           : "");
  finding.fix = WithType(facts, table, column, "numeric", "bigint");
  out.push_back(std::move(finding));
}

}  // namespace

void FindNumericTextKey(const Facts& facts, const TableFacts& table, Findings& out) {
  for (uint32_t i = 0; i < table.key_columns(); ++i) {
    if (!IsText(table.column(i).type->kind) || table.derivation(i) != nullptr) continue;
    // Clustering columns determine the order of stored rows. In a table in key order, all key columns do.
    const bool ordered = i >= table.table->partition_key_size || table.in_key_order();
    const std::optional<Clock> clock = ClockOf(table, i);
    if (clock && clock->form == Clock::Form::kText && clock->whole) {
      TimeAsText(facts, table, i, ordered, *clock, out);
    } else {
      DigitsAsText(facts, table, i, ordered, out);
    }
  }
}

}  // namespace widerow::advise
