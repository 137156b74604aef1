// CQL functions that the planner calls in the keys that it derives. No statement can name them. Each function below
// makes such a Function and returns a call of it. The returned expression owns the Function.
#pragma once

#include "planner/generated/generated_columns.h"

namespace widerow {

// Returns `derived`. Evaluating it fails with kInvalid if `given` has another value: "Generated column bucket is 5 for
// this row, not 6", or "Generated column bucket is null for this row, not 6". A null or unset `given` counts as not
// given.
Expression CheckedValue(const ColumnSchema& column, Expression derived, Expression given);
// Returns `given`. Evaluating it fails with kInvalid if it is not one of 0 to count - 1.
Expression CheckedRandom(const ColumnSchema& column, int64_t count, Expression given);

struct BoundExpression {
  Expression value;
  bool inclusive = true;
};
// `core` is window(x, …) or to_date(x). Returns an expression for the list of all values that `core` has for x between
// the bounds. Evaluating it fails with kInvalid if the list has more values than a statement may read.
Expression WindowsBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                          BoundExpression upper);
// Like WindowsBetween, if `core` is substr(x, 1, n). The list has one value: the first n characters of both bounds. If
// the bounds begin with different characters, evaluating the list fails with kInvalid.
Expression PrefixBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower,
                         BoundExpression upper);

// Returns a bound of all texts that splice() can give if its first arguments are `parts`. The lower bound is the least
// of these texts. The upper bound is a byte string above the greatest of them, which is no valid text. A bound need not
// be a valid key, so this function also accepts parts that splice refuses.
Expression SpliceBound(const CallExpression& splice, std::vector<Expression> parts, bool upper);
// Returns zero_pad of `number`. A number that is out of range becomes the least or greatest possible number.
Expression PaddedBound(const CallExpression& zero_pad, Expression number);

}  // namespace widerow
