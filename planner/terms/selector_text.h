// Cassandra's names for selected terms: "v", "system.min(v)", "writetime(v)", "count", "v + 1", "cast(v as text)",
// "(ks.address){street: v}".
#pragma once

#include <optional>
#include <string>

#include "planner/terms/planning.h"

namespace widerow {

std::string SelectorText(const Term& term, const Planning& planning);

// Returns the kind if the call is WRITETIME, TTL or MAXWRITETIME, which the parser delivers as calls; else nullopt.
std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call);

}  // namespace widerow
