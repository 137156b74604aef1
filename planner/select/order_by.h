// ORDER BY with Cassandra's rules: forward or backward over the clustering.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Refuses unknown columns. Cassandra finds them before it reads WHERE.
Status FindOrderColumns(const std::vector<Ordering>& order_by, const Planning& planning);

// Returns the indexes of the columns, as written. Refuses unknown columns and ANN OF, which needs an index on vectors.
Result<std::vector<std::pair<uint32_t, const Ordering*>>> ResolveOrdering(const std::vector<Ordering>& order_by,
                                                                          Planning& planning);

// True if the rows of a partition must be read against their stored order. The columns must follow the clustering from
// its first column that is not restricted by an equality, all in stored order or all against it. `whole_key`: rows are
// stored in the order of the whole key, and the columns must follow it from its first column.
Result<bool> IsReversed(const std::vector<std::pair<uint32_t, const Ordering*>>& ordering, const TableSchema& table,
                        const GroupedWhere& where, bool whole_key = false);

}  // namespace widerow
