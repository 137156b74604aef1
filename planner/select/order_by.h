// ORDER BY with Cassandra's rules: rows can be read in the declared clustering order or in its reverse.
#pragma once

#include <functional>

#include "planner/where/group.h"

namespace widerow {

// Refuses unknown columns. Cassandra finds them before it reads WHERE.
Status FindOrderColumns(const std::vector<Ordering>& order_by, const Planning& planning);

// Returns each ordering with the index of its column in TableSchema::columns, as written. Leaves out ANN OF (nearest.h)
// and BM25 OF (relevance.h). Refuses unknown columns.
Result<std::vector<std::pair<uint32_t, const Ordering*>>> ResolveOrdering(const std::vector<Ordering>& order_by,
                                                                          const Planning& planning);

// Adds to a hint the index that would serve ORDER BY, if there is one, and returns the hint.
using HintMaker = std::function<std::string(std::string hint)>;

// True if the rows of a partition must be read in the reverse of their stored order. ORDER BY must name the clustering
// columns in order. Before a column, it may leave out columns that WHERE restricts to one value, and columns that are
// generated in the order of that column. All named columns must have their stored order, or all of them the reverse.
// With `whole_key`, rows are stored in the order of the whole primary key, and ORDER BY must name its columns from the
// first one on. `with_index` completes the hint about a column that is not in the key.
Result<bool> IsReversed(const std::vector<std::pair<uint32_t, const Ordering*>>& ordering, const TableSchema& table,
                        const GroupedWhere& where, const std::vector<KeyChoice>& choices, bool whole_key,
                        const HintMaker& with_index);

}  // namespace widerow
