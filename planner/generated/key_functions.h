// Functions that only derived keys use. No statement can name them. Each call makes a function, which its expression
// owns.
#pragma once

#include "planner/generated/generated_columns.h"

namespace widerow {

// Returns `derived`; when evaluated, kInvalid if `given` is another value: "Generated column bucket is 5 for this row,
// not 6". A null or unset `given` counts as not given.
Expression CheckedValue(const ColumnSchema& column, Expression derived, Expression given);
// Returns `given`; when evaluated, kInvalid unless it is one of 0 to count - 1.
Expression CheckedRandom(const ColumnSchema& column, int64_t count, Expression given);

struct BoundExpression {
  Expression value;
  bool inclusive = true;
};
// Returns a list of all values that `core`, window(x, …) or to_date(x), has for x between the bounds. When evaluated,
// kInvalid if there are more values than a statement may read.
Expression WindowsBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                          BoundExpression upper);
// The same for substr(x, 1, n): a list of one value if both bounds begin with the same n characters, else kInvalid.
Expression PrefixBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                         BoundExpression upper);

// Returns a bound of all splice(connector, parts…, anything): the least text that begins with these parts, or, if
// `upper`, a string (not valid text) above the greatest. Unlike splice it does not refuse parts: a bound need not be a
// valid key.
Expression SpliceBound(const CallExpression& splice, std::vector<Expression> parts, bool upper);
// Returns zero_pad of `number`. A number that does not fit becomes the least or greatest number that does.
Expression PaddedBound(const CallExpression& zero_pad, Expression number);

}  // namespace widerow
