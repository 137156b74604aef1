// What stands between SELECT and FROM: columns, functions of them, parts of collections and UDTs, aggregates.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"

namespace widerow {

// One output column, named as Cassandra names it: the alias, "v", "system.min(v)", "writetime(v)", "count", ….
Result<OutputColumn> PrepareSelector(const Selector& selector, Planning& planning);
// A column, or a field, element or slice of one.
Result<Expression> PreparePart(const Term& term, Planning& planning);
// What GROUP BY names.
Result<Expression> PrepareGrouping(const Term& term, Planning& planning);

// Whether `expression`, or a part of it, is an aggregate call.
bool HoldsAggregate(const Expression& expression);

}  // namespace widerow
