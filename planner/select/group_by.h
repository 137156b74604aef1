// GROUP BY with Cassandra's rules: names columns of the primary key in key order. Columns that equal one value may be
// left out. The last one may be a monotonic function of its column (Function::monotonic).
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Returns nullopt if the statement has no GROUP BY. `distinct`: the statement is a SELECT DISTINCT.
Result<std::optional<GroupBy>> ResolveGroupBy(const std::vector<Term>& group_by, const GroupedWhere& where,
                                              const std::vector<KeyChoice>& choices, bool distinct, Planning& planning);

}  // namespace widerow
