// One relation (target, operator, values) to one restriction.
#pragma once

#include "planner/where/resolve.h"

namespace widerow {

// `range` is the whole relation's. Relations on columns, parts of columns, tuples of clustering columns and token(…).
Result<Restriction> ResolveRelation(const Relation& relation, SourceRange range, Planning& planning);

// (a, b) op …; Cassandra's rules for multi-column relations.
Result<Restriction> ResolveTupleRelation(const Relation& relation, SourceRange range, Planning& planning);

bool IsSliceOperator(CompareOp op);
bool IsKeyOperator(CompareOp op);  // =, IN, <, <=, >, >=

// The relation as messages quote it.
std::string RelationText(const Relation& relation);

}  // namespace widerow
