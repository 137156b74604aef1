#include "exec/derived/choose_lookup.h"

#include <algorithm>
#include <cmath>

#include "exec/derived/entry_stream.h"

namespace widerow {
namespace {

// Above this number it hardly matters which of two lookups has fewer entries.
constexpr uint64_t kCountedMax = 1'024;

// Returns the lookup with the fewest entries, if it has fewer than `most`.
Result<std::optional<size_t>> Fewest(ReadView& view, const std::vector<BoundLookup>& lookups, const EntryBounds& bounds,
                                     uint64_t most) {
  std::optional<size_t> best;
  for (size_t i = 0; i < lookups.size() && most > 0; ++i) {
    WR_ASSIGN_OR_RETURN(const uint64_t count, CountEntries(view, lookups[i], bounds, most));
    if (count >= most) continue;
    most = count;
    best = i;
  }
  return best;
}

}  // namespace

uint64_t EntriesWorthGathering(const TableSize& table, uint64_t wanted) {
  // The times, in nanoseconds, of reading an entry, of reading the row that an entry names, of reading the next row of
  // the table, and of each byte of that row. Measured with bench/index_ranges.py.
  constexpr double kEntry = 150, kRowFound = 1'500, kRow = 75, kRowByte = 0.15;
  const auto rows = static_cast<double>(std::max<uint64_t>(table.rows, 1));
  const double row = kRow + kRowByte * static_cast<double>(table.bytes) / rows;
  // With n entries among the rows, the index costs n * kEntry + wanted * kRowFound. The table costs wanted * rows / n *
  // row, and at most rows * row.
  const double of_part = std::sqrt(static_cast<double>(wanted) * rows * row / kEntry);
  const double of_found = rows * row / kRowFound;
  return std::max<uint64_t>(kCountedMax, static_cast<uint64_t>(std::min(of_part, of_found)));
}

Result<std::optional<size_t>> ChooseLookup(ReadView& view, const std::vector<BoundLookup>& lookups,
                                           const EntryBounds& bounds, const std::function<Result<uint64_t>()>& worth) {
  const auto is_range = [](const BoundLookup& lookup) { return !lookup.one && !lookup.like; };
  const auto other = std::find_if_not(lookups.begin(), lookups.end(), is_range);
  if (lookups.size() > 1 || other == lookups.end()) {
    WR_ASSIGN_OR_RETURN(const std::optional<size_t> few, Fewest(view, lookups, bounds, kCountedMax));
    if (few) return few;
  }
  if (other != lookups.end()) return std::optional(static_cast<size_t>(other - lookups.begin()));
  WR_ASSIGN_OR_RETURN(const uint64_t most, worth());
  return Fewest(view, lookups, bounds, most);
}

}  // namespace widerow
