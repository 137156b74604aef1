// Which of several indexes a SELECT reads, or whether it had better read the table: that is known only once its values are.
#pragma once

#include <functional>

#include "exec/derived/index_cursor.h"
#include "exec/meter/table_size.h"

namespace widerow {

// Entries of a range are in the order of values, rows in the order of the table: whoever wants the next rows goes over all of
// the range's entries. Where there are more than so many, going over `table`, or the part that is asked for, until `wanted` rows
// are found costs less.
uint64_t EntriesWorthGathering(const TableSize& table, uint64_t wanted);

// The lookup to take: the one with the fewest entries, as far as counting some of them tells. nullopt: none, all of them are ranges
// with more than `worth`() entries, which is asked only where that matters.
Result<std::optional<size_t>> ChooseLookup(ReadView& view, const std::vector<BoundLookup>& lookups, const EntryBounds& bounds,
                                           const std::function<Result<uint64_t>()>& worth);

}  // namespace widerow
