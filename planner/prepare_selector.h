// What stands between SELECT and FROM: columns, functions of them, parts of collections and UDTs, aggregates.
#pragma once

#include "parser/ast.h"
#include "planner/planning.h"

namespace widerow {

// One output column, named as Cassandra names it: the alias, "v", "system.min(v)", "writetime(v)", "count", ….
// Aggregates stand at the top of their expression only.
Result<OutputColumn> PrepareSelector(const Selector& selector, Planning& planning);

bool IsAggregate(const Expression& expression);

}  // namespace widerow
