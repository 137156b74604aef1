// For SELECT with aggregates or GROUP BY. An output such as max(v) - min(v) is computed from values that must be
// gathered over the rows of a group. GatherGroupValues finds these values.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Moves parts of the expressions in `output` to `group_values`: the aggregate calls, and the expressions that read the
// row. Leaves GroupValueExpressions in their place. `group_values` has each plain column only once.
void GatherGroupValues(std::vector<OutputColumn>& output, std::vector<Expression>& group_values);

}  // namespace widerow
