// A plan for all texts of one shape (parser/statement_shape.h): what the plan of one of them is, with a bind marker in the place
// of each constant of the text. Made only where the constants stand for nothing but values: of keys, of assigned columns, of
// USING and LIMIT.
#pragma once

#include <optional>

#include "parser/statement_shape.h"
#include "planner/plan.h"

namespace widerow {

// `plan` is that of `text`, which `shape` was cut from. nullopt: not every constant is found in it, exactly once, where it may
// differ; then the shape's texts have to be planned one by one.
std::optional<Plan> MakePlanTemplate(const Plan& plan, const StatementShape& shape, std::string_view text);

// The native bytes of a constant as the plan's marker number `marker` wants it. nullopt: it is none of that type; planning the
// text says why.
Value ConstantFor(const Plan& plan_template, size_t marker, const TextConstant& constant, std::string_view text);

}  // namespace widerow
