// Visits the columns that expressions and predicates read.
#pragma once

#include <functional>

#include "planner/plan.h"

namespace widerow {

// Calls `visit` with the index of each column of the table that `expression` reads (also those whose times it reads).
// The row's token reads no column.
void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit);
void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit);

}  // namespace widerow
