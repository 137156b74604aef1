#include "exec/derived/choose_lookup.h"

#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "exec/derived/entry_stream.h"

namespace widerow {
namespace {

// Entries are counted up to this number. Above it, it hardly matters which of two conditions has fewer entries.
constexpr uint64_t kCountedMax = 1'024;

// Reading this number of entries costs as much as reading a row of the table that an entry names.
constexpr uint64_t kEntriesOfRow = 8;

struct Counted {
  size_t at = 0;
  uint64_t entries = 0;
};

// Returns the condition with the fewest entries, if it has fewer than `most`.
Result<std::optional<Counted>> Fewest(ReadView& view, const std::vector<BoundIndexCondition>& conditions,
                                      const EntryBounds& bounds, uint64_t most) {
  std::optional<Counted> best;
  for (size_t i = 0; i < conditions.size() && most > 0; ++i) {
    WR_ASSIGN_OR_RETURN(const uint64_t count, CountEntries(view, conditions[i], bounds, most));
    if (count >= most) continue;
    most = count;
    best = {i, count};
  }
  return best;
}

bool OfWholePartitions(const BoundIndexCondition& condition) {
  const auto* const lookup = std::get_if<BoundLookup>(&condition.node);
  return lookup != nullptr && lookup->whole_partitions;
}

// Joins condition `first` with other conditions whose entries need not be gathered (IsGathered). `entries`: the number
// of entries of `first`; nullopt: at least kCountedMax. If `first` has few entries, another condition is joined only if
// reading its entries costs less than reading the rows that it may exclude. If `first` has many entries, the
// EntryStream finds out which conditions are worth reading.
Result<BoundIndexCondition> JoinWithOthers(ReadView& view, const std::vector<BoundIndexCondition>& conditions,
                                           const EntryBounds& bounds, size_t first, std::optional<uint64_t> entries) {
  const auto joins = [](const BoundIndexCondition& one) { return !OfWholePartitions(one) && !IsGathered(one); };
  BoundIndexCondition::All all{{conditions[first]}};
  for (size_t i = 0; joins(conditions[first]) && i < conditions.size(); ++i) {
    if (i == first || !joins(conditions[i])) continue;
    if (entries) {
      const uint64_t most = *entries * kEntriesOfRow;
      WR_ASSIGN_OR_RETURN(const uint64_t count, CountEntries(view, conditions[i], bounds, most));
      if (count >= most) continue;
    }
    all.parts.push_back(conditions[i]);
  }
  if (all.parts.size() == 1) return std::move(all.parts[0]);
  return BoundIndexCondition{std::move(all)};
}

// True if counting the entries can show that reading the table costs less.
bool IsRange(const BoundIndexCondition& condition) {
  return std::visit(Overloaded{
                        [](const BoundLookup& lookup) { return !lookup.one && !lookup.like; },
                        [](const BoundIndexCondition::All& all) { return std::ranges::all_of(all.parts, IsRange); },
                        [](const BoundIndexCondition::Any& any) { return std::ranges::any_of(any.parts, IsRange); },
                    },
                    condition.node);
}

}  // namespace

uint64_t EntriesWorthGathering(const TableSize& table, uint64_t wanted) {
  // The times, in nanoseconds, of reading an entry, of reading the row that an entry names, of reading the next row of
  // the table, and of each byte of that row. Measured with bench/index_ranges.py.
  constexpr double kEntry = 150, kRowFound = 1'500, kRow = 75, kRowByte = 0.15;
  const auto rows = static_cast<double>(std::max<uint64_t>(table.rows, 1));
  const double row = kRow + kRowByte * static_cast<double>(table.bytes) / rows;
  // With n entries among the rows, the index costs n * kEntry + wanted * kRowFound. The table costs wanted * rows / n *
  // row, and at most rows * row. For n = of_part, reading the entries costs as much as reading the table until the
  // wanted rows are found. For n = of_found, reading the rows of all n entries costs as much as reading the whole
  // table. More entries than the smaller of these two numbers are not worth reading.
  const double of_part = std::sqrt(static_cast<double>(wanted) * rows * row / kEntry);
  const double of_found = rows * row / kRowFound;
  return std::max<uint64_t>(kCountedMax, static_cast<uint64_t>(std::min(of_part, of_found)));
}

Result<std::optional<BoundIndexCondition>> ChooseCondition(ReadView& view,
                                                           const std::vector<BoundIndexCondition>& conditions,
                                                           const EntryBounds& bounds,
                                                           const std::function<Result<uint64_t>()>& worth) {
  const auto join = [&](size_t at, std::optional<uint64_t> entries) -> Result<std::optional<BoundIndexCondition>> {
    WR_ASSIGN_OR_RETURN(BoundIndexCondition joined, JoinWithOthers(view, conditions, bounds, at, entries));
    return std::optional(std::move(joined));
  };
  const auto other = std::ranges::find_if_not(conditions, IsRange);
  if (conditions.size() > 1 || other == conditions.end()) {
    WR_ASSIGN_OR_RETURN(const std::optional<Counted> few, Fewest(view, conditions, bounds, kCountedMax));
    if (few) return join(few->at, few->entries);
  }
  if (other != conditions.end()) return join(static_cast<size_t>(other - conditions.begin()), std::nullopt);
  WR_ASSIGN_OR_RETURN(const uint64_t most, worth());
  WR_ASSIGN_OR_RETURN(const std::optional<Counted> fewest, Fewest(view, conditions, bounds, most));
  if (!fewest) return std::optional<BoundIndexCondition>();
  return std::optional(conditions[fewest->at]);
}

}  // namespace widerow
