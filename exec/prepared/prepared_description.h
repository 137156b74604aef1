// A client knows three things about a prepared statement: its id, its bind markers and its result columns. These
// functions compute the three, and tell when a schema change makes them wrong. Pure functions.
#pragma once

#include "exec/rows/outcome.h"
#include "parser/ast.h"
#include "planner/plan.h"

namespace widerow {

// True if the statement names every table with its keyspace. Such a statement means the same in every keyspace, and its
// id does not depend on the keyspace.
bool IsFullyQualified(const Statement& statement);
// Returns the id that Cassandra gives: the MD5 of keyspace + text, 16 bytes. Pass an empty keyspace for a fully
// qualified statement.
Bytes StatementId(std::string_view text, std::string_view keyspace);

// Returns an id for a set of result columns: the MD5 of their names and types, 16 bytes.
Bytes ColumnsId(const ResultColumns& columns);
// Returns an id for the bind markers of a plan and the partition key markers that PREPARE reports: an MD5, 16 bytes.
Bytes MarkersId(const Plan& plan);

// True if values bound for the markers of one plan fit the other plan: the same number of markers, of the same types.
bool TakesSameValues(const Plan& a, const Plan& b);
// Returns kUnprepared, for values that were bound for other types. The caller prepares the statement again and binds
// the values again.
Error MarkersHaveChanged();
// Fails with kInvalid if a later page of a result has other columns than the first page, because the schema has
// changed.
Status CheckSameColumns(const ResultColumnsPtr& first, const ResultColumnsPtr& later);

// True if a client that has prepared `plan` must prepare it again after the schema changes up to `now`. The rule is
// Cassandra's: the table was dropped or replaced, or its columns, their types, its indexes, default_time_to_live or
// gc_grace_seconds have changed. Other options do not count. It applies to SELECT, INSERT, UPDATE, DELETE and batches
// of them; other statements never have to be prepared again.
bool MustBePreparedAgain(const Plan& plan, const SchemaSnapshot& now);

}  // namespace widerow
