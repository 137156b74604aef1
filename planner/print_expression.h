// Prints expressions and predicates of plans as CQL, for EXPLAIN.
#pragma once

#include "planner/plan.h"

namespace widerow {

std::string PrintExpression(const Expression& expression, const TableSchema& table);
// Returns the expressions with commas between them.
std::string PrintExpressions(const std::vector<Expression>& expressions, const TableSchema& table);
std::string PrintPredicate(const Predicate& predicate, const TableSchema& table);
std::string PrintPredicates(const std::vector<Predicate>& predicates, const TableSchema& table);

}  // namespace widerow
