// What expressions of generated columns keep of their columns: order, values, widths. Pure functions.
#pragma once

#include <optional>
#include <set>

#include "planner/generated/generated_columns.h"

namespace widerow {

// The call, if `expression` is one of a function of this name.
const CallExpression* CallOf(const Expression& expression, std::string_view name);
// A constant integer among the arguments of a call.
std::optional<int64_t> ConstantInteger(const CallExpression& call, size_t argument);
std::optional<std::string> ConstantText(const CallExpression& call, size_t argument);

ExpressionOrder OrderOf(const Expression& expression);
// Columns whose values can be told from the expression's value.
std::set<uint32_t> DeterminedBy(const Expression& expression);
// n of bucket(x, n) and random(n), if it is constant: the values are 0 to n - 1.
std::optional<int64_t> FiniteCount(const Expression& expression);
// Whether its value is one of few whatever its columns are: it reads them within bucket() and random() only.
bool IsFinite(const Expression& expression);
// The width in characters that all values have; of values of a type, bytes that none exceeds.
std::optional<int64_t> FixedWidth(const Expression& expression);
std::optional<int64_t> BytesMax(const Expression& expression);
// substr(x, 1, n): the beginning of x.
bool IsPrefix(const Expression& expression);
// window(x, w) and to_date(x): the values between two of them can be listed.
bool IsWindow(const Expression& expression);

}  // namespace widerow
