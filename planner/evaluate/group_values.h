// For SELECT with aggregates or GROUP BY. An output such as max(v) - min(v) is computed from values that must be
// gathered over the rows of a group. GatherGroupValues finds these values.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Moves aggregate calls and expressions that read the row from `output` to `group_values` and leaves
// GroupValueExpressions in their place. A plain column is moved only once.
void GatherGroupValues(std::vector<OutputColumn>& output, std::vector<Expression>& group_values);

}  // namespace widerow
