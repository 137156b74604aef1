// Decides which of several indexes a SELECT reads, or that it reads the table. The decision needs the statement's
// values.
#pragma once

#include <functional>

#include "exec/derived/index_cursor.h"
#include "exec/meter/table_size.h"

namespace widerow {

// Returns the greatest number of entries of a range that are worth reading. The entries of a range are in the order of
// values, but rows are returned in the order of the table. So all entries of the range must be read to find the next
// rows. If there are more entries, reading `table` (or the part of it that the SELECT names) until `wanted` rows are
// found costs less.
uint64_t EntriesWorthGathering(const TableSize& table, uint64_t wanted);

// Returns the lookup with the fewest entries. Entries are counted only as far as the decision needs. nullopt: every
// lookup is a range with at least `worth`() entries. `worth` is called only if needed.
Result<std::optional<size_t>> ChooseLookup(ReadView& view, const std::vector<BoundLookup>& lookups,
                                           const EntryBounds& bounds, const std::function<Result<uint64_t>()>& worth);

}  // namespace widerow
