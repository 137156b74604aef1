// GROUP BY, after Cassandra's rules: the columns of the primary key in their order, those that equal a value may be left out, the
// last one may be a function that later values of its column never give an earlier result of.
#pragma once

#include "planner/where/group.h"

namespace widerow {

// Nothing without the clause. `distinct`: of a SELECT DISTINCT.
Result<std::optional<GroupBy>> ResolveGroupBy(const std::vector<Term>& group_by, const GroupedWhere& where,
                                              const std::vector<KeyChoice>& choices, bool distinct, Planning& planning);

}  // namespace widerow
