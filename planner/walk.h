// Visits expressions, and the columns that they and predicates read.
#pragma once

#include <functional>

#include "planner/plan.h"

namespace widerow {

// Calls `visit` with `expression` and all that it is made of.
void VisitExpressions(const Expression& expression, const std::function<void(const Expression&)>& visit);
// Calls `visit` with the index of each column of the table that `expression` reads (also those whose times it reads).
// The row's token reads no column.
void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit);
void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit);

}  // namespace widerow
