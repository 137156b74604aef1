// Cassandra's rules on which constants, collection literals and function results can be values of a type. They look at
// the term as written, before it is prepared.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"
#include "planner/value_fit.h"

namespace widerow {

// True if the term, as written, can be a value of `type`. The result is always true for function calls. To check one,
// it would have to be prepared, and preparing calls twice at each level of nesting would cost 2^depth.
bool Assignable(const Term& term, const TypePtr& type, const Planning& planning);

// Returns the error for a term that is not assignable to `type`. Its text is `sentence`. But if a list literal is at a
// place where no list can be, also inside another literal, the text is Cassandra's sentence about lists.
Error Misfit(const Term& term, const TypePtr& type, std::string sentence, const Planning& planning);

// True if a term with the type hint `hinted` may be a value of `type`. A collection or a user-defined type in the hint
// must be frozen if `type` is frozen, and must not be if `type` is not.
bool HintFits(const Type& hinted, const Type& type);

// Returns the term as Cassandra's messages quote it: 'a', [1, 2], (int)5, now(), ? for any bind marker. Names of
// user-defined types get their keyspace: (ks.address)….
std::string TermText(const Term& term, const Planning& planning);

}  // namespace widerow
