// How Cassandra names what is selected: "v", "system.min(v)", "writetime(v)", "count", "v + 1", "cast(v as text)".
#pragma once

#include <optional>
#include <string>

#include "planner/expression.h"
#include "parser/ast_term.h"

namespace widerow {

std::string SelectorText(const Term& term);

// WRITETIME, TTL and MAXWRITETIME look like calls.
std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call);

}  // namespace widerow
