// ORDER BY in the order of an index on a column. Pure functions.
#pragma once

#include "planner/plan.h"
#include "planner/terms/planning.h"
#include "planner/where/group.h"

namespace widerow {

// Returns the order of an index, if one serves ORDER BY.
std::optional<IndexOrder> OrderByIndex(const SelectStatement& statement, const GroupedWhere& where,
                                       const SelectPlan& plan, const Planning& planning);
// Returns `hint`. If a new index would serve ORDER BY, the statement that creates it is added.
std::string WithIndexHint(std::string hint, const SelectStatement& statement, const GroupedWhere& where,
                          const SelectPlan& plan, const Planning& planning);
// Refuses clauses that need the rows of a partition one after another. In the order of an index, other rows are between
// them.
Status CheckIndexOrder(const SelectStatement& statement, const SelectPlan& plan, Planning& planning);

}  // namespace widerow
