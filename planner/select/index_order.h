// ORDER BY in the order of an index on a column. Pure functions.
#pragma once

#include "planner/plan.h"
#include "planner/terms/planning.h"
#include "planner/where/group.h"

namespace widerow {

// Returns the order of an index, if one serves ORDER BY.
std::optional<IndexOrder> OrderByIndex(const SelectStatement& statement, const GroupedWhere& where,
                                       const SelectPlan& plan, const Planning& planning);
// Returns `hint`, and behind it the index that would serve ORDER BY, if one would.
std::string WithIndexHint(std::string hint, const SelectStatement& statement, const GroupedWhere& where,
                          const SelectPlan& plan, const Planning& planning);
// Refuses clauses that need the rows of a partition together, which they are not in the order of an index.
Status CheckIndexOrder(const SelectStatement& statement, const SelectPlan& plan, Planning& planning);

}  // namespace widerow
