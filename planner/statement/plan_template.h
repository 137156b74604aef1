// A plan template is one plan for all texts that differ only in their constants (parser/statement_shape.h). It is the
// plan of one of these texts with a bind marker in place of each constant. A template exists only if all constants are
// values of keys, of assigned columns, of changes of counters, of conditions in IF, of USING or of LIMIT. Immutable;
// any thread.
#pragma once

#include <optional>

#include "parser/statement_shape.h"
#include "planner/plan.h"

namespace widerow {

// Makes the template from `plan`, the plan of `text`, which has the shape `shape`. nullopt if there is no template:
// each text of this shape must then be planned.
std::optional<Plan> MakePlanTemplate(const Plan& plan, const StatementShape& shape, std::string_view text);

// Returns a constant as native bytes of the type of the template's marker number `marker`. nullopt if it does not fit
// the type; planning the text then gives the error.
Value ConstantFor(const Plan& plan_template, size_t marker, const TextConstant& constant, std::string_view text);

}  // namespace widerow
