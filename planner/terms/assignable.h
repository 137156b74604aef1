// May a term, as written, be a value of a type? Cassandra's rules for constants, collection literals and function
// results.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"
#include "planner/value_fit.h"

namespace widerow {

// Whether the term can be prepared for `type`, judged by its shape. Function calls always pass: preparing them tells
// (and preparing twice would cost 2^depth).
bool Assignable(const Term& term, const TypePtr& type, const Planning& planning);

// The term as Cassandra's messages quote it: 'a', [1, 2], (int)5, now().
std::string TermText(const Term& term);

}  // namespace widerow
