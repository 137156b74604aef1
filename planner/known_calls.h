// Facts about calls of functions that are known by name, such as bucket, zero_pad and substr. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "planner/expression.h"

namespace widerow {

// Returns the call if `expression` is a call of the function `name`; null otherwise.
const CallExpression* CallOf(const Expression& expression, std::string_view name);
// Return a constant argument of a call; nullopt if it is no constant of that type.
std::optional<int64_t> ConstantInteger(const CallExpression& call, size_t argument);
std::optional<std::string> ConstantText(const CallExpression& call, size_t argument);
// Returns n of bucket(x, n) and random(n) if n is constant: the values are 0 to n - 1.
std::optional<int64_t> FiniteCount(const Expression& expression);
// Returns the width of all values in characters, if they have the same width.
std::optional<int64_t> FixedWidth(const Expression& expression);
// True for substr(x, 1, n), the beginning of x.
bool IsPrefix(const Expression& expression);

}  // namespace widerow
