// Properties of the expressions of generated columns: whether they keep order, how many values they have, and how long
// the values are. Pure functions.
#pragma once

#include <optional>
#include <set>

#include "planner/generated/generated_columns.h"
#include "planner/known_calls.h"

namespace widerow {

// Returns the columns whose order the expression keeps; empty if it keeps none.
ExpressionOrder OrderOf(const Expression& expression);
// Returns the columns whose values follow from the expression's value.
std::set<uint32_t> DeterminedBy(const Expression& expression);
// True if the expression has only few possible values: it consists of constants, bucket(x, n) and random(n), and of
// calls with only such arguments.
bool IsFinite(const Expression& expression);
// Returns an upper bound of the length of all values in bytes; nullopt if none is known.
std::optional<int64_t> BytesMax(const Expression& expression);
// True for window(x, w) and to_date(x), whose values between two bounds can be listed.
bool IsWindow(const Expression& expression);

}  // namespace widerow
