// Judges from a term's text form if it can be a value of a type: Cassandra's rules for constants, collection literals
// and function results.
#pragma once

#include "parser/ast.h"
#include "planner/terms/planning.h"
#include "planner/value_fit.h"

namespace widerow {

// True if the term, judged by its text form, can be prepared for `type`. Function calls always pass: they would have to
// be prepared to find out, and preparing them twice at each level would cost 2^depth.
bool Assignable(const Term& term, const TypePtr& type, const Planning& planning);

// Returns the error for a term that is not assignable to `type`: `sentence`, or for a list literal Cassandra's sentence
// about lists.
Error Misfit(const Term& term, const Type& type, std::string sentence);

// True if a term with a type hint may be a value of `type`. A hint of a collection or of a user-defined type must be
// frozen if `type` is, and only then.
bool HintFits(const Type& hinted, const Type& type);

// Returns the term as Cassandra's messages quote it: 'a', [1, 2], (int)5, now(), ? for any bind marker. Names of
// user-defined types get their keyspace: (ks.address)….
std::string TermText(const Term& term, const Planning& planning);

}  // namespace widerow
