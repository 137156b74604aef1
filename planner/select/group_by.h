// GROUP BY with Cassandra's rules: it names columns of the primary key in key order. Columns that equal one value may
// be left out. The last column may be replaced by a monotonic function of it (Function::monotonic).
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Returns nullopt if the statement has no GROUP BY. `distinct`: the statement is a SELECT DISTINCT.
Result<std::optional<GroupBy>> ResolveGroupBy(const std::vector<Term>& group_by, const GroupedWhere& where,
                                              const std::vector<KeyChoice>& choices, bool distinct, Planning& planning);

}  // namespace widerow
