// What clients know of a prepared statement (its id, its bind markers, its result columns), and when a schema change
// makes that knowledge wrong. Pure functions.
#pragma once

#include "exec/rows/outcome.h"
#include "parser/ast.h"
#include "planner/plan.h"

namespace widerow {

// Whether the statement names every table with its keyspace. Then it means the same in every keyspace, and so does its id.
bool IsFullyQualified(const Statement& statement);
// MD5 of keyspace + text, 16 bytes: Cassandra's. Give no keyspace for a fully qualified statement.
Bytes StatementId(std::string_view text, std::string_view keyspace);

// Tells sets of result columns apart: an MD5 of their names and types, 16 bytes.
Bytes ColumnsId(const ResultColumns& columns);
// The same for the bind markers of a plan, with what PREPARE says of the partition key.
Bytes MarkersId(const Plan& plan);

// Whether values bound for the markers of one plan can be run by the other: as many markers, of the same types.
bool TakesSameValues(const Plan& a, const Plan& b);
// kUnprepared, for values that were bound for other types: the caller prepares again and binds them again.
Error MarkersHaveChanged();
// kInvalid if a later page of a result has other columns than the first one, because the schema has changed meanwhile.
Status CheckSameColumns(const ResultColumnsPtr& first, const ResultColumnsPtr& later);

// Whether a client that has prepared `plan` must prepare it again after schema changes up to `now`. As in Cassandra:
// the table is gone or another, or its columns, their types, its indexes, default_time_to_live or gc_grace_seconds have
// changed. Other options do not count. Statements other than SELECT, INSERT, UPDATE, DELETE and batches of them are kept.
bool MustBePreparedAgain(const Plan& plan, const SchemaSnapshot& now);

}  // namespace widerow
