// ORDER BY: forwards or backwards over the clustering, after Cassandra's rules.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Columns ordered by, by index, as written; unknown ones are refused here, and ANN OF, which needs an index on vectors.
Result<std::vector<std::pair<uint32_t, const Ordering*>>> ResolveOrdering(const std::vector<Ordering>& order_by, Planning& planning);

// Whether the rows of a partition must be read against stored order. The columns must follow the clustering from its
// first column that is not restricted by an equality, all in stored order or all against it. `whole_key`: rows are stored in the
// order of the whole key, of which they must follow the first column.
Result<bool> IsReversed(const std::vector<std::pair<uint32_t, const Ordering*>>& ordering, const TableSchema& table,
                        const GroupedWhere& where, bool whole_key = false);

}  // namespace widerow
