// Cassandra's names for selected terms: "v", "system.min(v)", "writetime(v)", "count", "v + 1", "cast(v as text)",
// "(ks.address){street: v}".
#pragma once

#include <optional>
#include <string>

#include "planner/terms/planning.h"

namespace widerow {

// Returns a term as messages show it.
std::string SelectorText(const Term& term, const Planning& planning);
// Returns the name of the term's column in an answer. It leaves out a cast of a column to the column's own type.
std::string SelectedName(const Term& term, const Planning& planning);

// Returns the kind if the call is WRITETIME, TTL or MAXWRITETIME, which the parser delivers as calls; else nullopt.
std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call);

}  // namespace widerow
