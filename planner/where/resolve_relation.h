// Turns one relation (target, operator, values) into one restriction.
#pragma once

#include "planner/where/resolve.h"

namespace widerow {

// Resolves a relation on a column, on a part of a column, on a tuple of clustering columns or on token(…). `range` is
// the whole relation's.
Result<Restriction> ResolveRelation(const Relation& relation, SourceRange range, Planning& planning);

// Resolves (a, b) op … with Cassandra's rules for multi-column relations.
Result<Restriction> ResolveTupleRelation(const Relation& relation, SourceRange range, Planning& planning);

// True for <, <=, > and >=.
bool IsSliceOperator(CompareOp op);
bool IsKeyOperator(CompareOp op);  // =, IN, <, <=, >, >=

// Returns the relation as Cassandra's messages quote it.
std::string RelationText(const Relation& relation, const Planning& planning);

}  // namespace widerow
