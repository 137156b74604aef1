// SELECT with aggregates or GROUP BY: separates the values gathered over the rows of a group from the outputs computed
// from them.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Moves aggregate calls and expressions that read the row from `output` to `group_values` and leaves
// GroupValueExpressions in their place. A plain column is moved only once.
void GatherGroupValues(std::vector<OutputColumn>& output, std::vector<Expression>& group_values);

}  // namespace widerow
