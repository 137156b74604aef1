// Walks over expressions and over the columns that expressions and predicates read.
#pragma once

#include <functional>

#include "planner/plan.h"

namespace widerow {

// Calls `visit` with `expression` and with every expression inside it.
void VisitExpressions(const Expression& expression, const std::function<void(const Expression&)>& visit);
// Calls `visit` with every expression of a plan, and with every expression inside it.
void VisitExpressions(const SelectPlan& plan, const std::function<void(const Expression&)>& visit);
void VisitExpressions(const ModifyPlan& plan, const std::function<void(const Expression&)>& visit);
// Calls `visit` with the index of each column that `expression` reads, or whose cell times it reads. A row's token
// counts as reading no column.
void VisitColumns(const Expression& expression, const std::function<void(uint32_t)>& visit);
void VisitColumns(const Predicate& predicate, const std::function<void(uint32_t)>& visit);

}  // namespace widerow
