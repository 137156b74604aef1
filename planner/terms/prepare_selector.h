// The select clause: columns, functions of columns, parts of collections and UDTs, aggregates.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"

namespace widerow {

// Returns one output column with Cassandra's name for it: the alias, "v", "system.min(v)", "writetime(v)", "count", ….
Result<OutputColumn> PrepareSelector(const Selector& selector, Planning& planning);
// Prepares a column, or a field, element or slice of one.
Result<Expression> PreparePart(const Term& term, Planning& planning);
// Prepares a column or function named by GROUP BY.
Result<Expression> PrepareGrouping(const Term& term, Planning& planning);

// Finds the columns and functions of a term. Errors: an unknown name, or arguments that fit no signature.
Status ResolveSelectorNames(const Term& term, Planning& planning);

// True if `expression` or a part of it is an aggregate call.
bool HoldsAggregate(const Expression& expression);

}  // namespace widerow
