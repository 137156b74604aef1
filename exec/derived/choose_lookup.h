// Decides whether a SELECT looks up rows in indexes or reads the table, and which of several conditions it looks up.
// The decision needs the statement's values.
#pragma once

#include <functional>

#include "exec/derived/index_cursor.h"
#include "exec/meter/table_size.h"

namespace widerow {

// Returns the greatest number of entries of a range that are worth reading. The entries of a range are in the order of
// values, but rows are returned in the order of the table. So all entries of the range must be read to find the next
// rows. If there are more entries, it costs less to read `table` (or the part of it that the SELECT names) until
// `wanted` rows are found.
uint64_t EntriesWorthGathering(const TableSize& table, uint64_t wanted);

// Returns the condition to look up: the one with the fewest entries, or an All that joins it with other conditions that
// are worth reading too. Entries are counted only as far as the decision needs. nullopt: every condition is a range
// with at least `worth`() entries. `worth` is called only if needed. There is at least one condition, and each
// condition alone finds all rows of the answer.
Result<std::optional<BoundIndexCondition>> ChooseCondition(ReadView& view,
                                                           const std::vector<BoundIndexCondition>& conditions,
                                                           const EntryBounds& bounds,
                                                           const std::function<Result<uint64_t>()>& worth);

}  // namespace widerow
