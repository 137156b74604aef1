// Properties of the expressions of generated columns: whether they keep order, how many values they have, and how wide
// the values are. Pure functions.
#pragma once

#include <optional>
#include <set>

#include "planner/generated/generated_columns.h"

namespace widerow {

// Returns the call if `expression` calls the function `name`; else null.
const CallExpression* CallOf(const Expression& expression, std::string_view name);
// Return a constant argument of a call; nullopt if it is no constant of that type.
std::optional<int64_t> ConstantInteger(const CallExpression& call, size_t argument);
std::optional<std::string> ConstantText(const CallExpression& call, size_t argument);

// Returns the columns whose order the expression keeps; empty if it keeps none.
ExpressionOrder OrderOf(const Expression& expression);
// Returns the columns whose values follow from the expression's value.
std::set<uint32_t> DeterminedBy(const Expression& expression);
// Returns n of bucket(x, n) and random(n) if n is constant: the values are 0 to n - 1.
std::optional<int64_t> FiniteCount(const Expression& expression);
// True if the expression has few values for any values of its columns: it reads columns only inside bucket() and
// random().
bool IsFinite(const Expression& expression);
// FixedWidth returns the width of all values in characters, if they have the same width. BytesMax returns an upper
// bound of their length in bytes.
std::optional<int64_t> FixedWidth(const Expression& expression);
std::optional<int64_t> BytesMax(const Expression& expression);
// True for substr(x, 1, n), the beginning of x.
bool IsPrefix(const Expression& expression);
// True for window(x, w) and to_date(x), whose values between two bounds can be listed.
bool IsWindow(const Expression& expression);

}  // namespace widerow
