// Functions that only derived keys use: no statement can name them. Each is made once and lives for ever.
#pragma once

#include "planner/generated/generated_columns.h"

namespace widerow {

// derived, unless `given` is another value: then kInvalid, "Generated column bucket is 5 for this row, not 6". A null or unset
// `given` counts as not given.
Expression CheckedValue(const ColumnSchema& column, Expression derived, Expression given);
// `given`, if it is one of 0 to count - 1.
Expression CheckedRandom(const ColumnSchema& column, int64_t count, Expression given);

struct BoundExpression {
  Expression value;
  bool inclusive = true;
};
// A list of all values that `core`, window(x, …) or to_date(x), has for x between the bounds. kInvalid if there are more than a
// statement can read.
Expression WindowsBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower, BoundExpression upper);
// The same of substr(x, 1, n): a list of one, if both bounds begin alike; else kInvalid.
Expression PrefixBetween(const ColumnSchema& column, const Expression& core, BoundExpression lower, BoundExpression upper);

// Bounds of what splice(connector, parts…, anything) can be: of the texts that begin so, the least or (not a text itself) one
// above the greatest. Unlike splice it takes parts as they come: what bounds a key need not be able to be one.
Expression SpliceBound(const CallExpression& splice, std::vector<Expression> parts, bool upper);
// zero_pad, with what does not fit brought to the least or greatest number that does.
Expression PaddedBound(const CallExpression& zero_pad, Expression number);

}  // namespace widerow
