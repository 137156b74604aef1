// SELECT with aggregates or GROUP BY: what is gathered from the rows of a group, and what is made of that for the answer.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Takes aggregate calls and whatever reads the row out of `output` into `group_values`, each once, and leaves references to them.
void GatherGroupValues(std::vector<OutputColumn>& output, std::vector<Expression>& group_values);

}  // namespace widerow
