// Functions that all DDL statements use. Some find the objects that a statement names and check that it may change
// them. Others build the next schema snapshot, which shares every unchanged keyspace, table and type with the previous
// one.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"
#include "planner/schema_change.h"

namespace widerow::ddl {

// Returns the keyspace of a name; if the name has none, the keyspace of USE. If there is neither, fails with "No
// keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename".
Result<std::string> KeyspaceOf(const QualifiedName& name, const DdlContext& context);
// Refuses system keyspaces with kUnauthorized, "system keyspace is not user-modifiable."
Status CheckUserKeyspace(const std::string& keyspace);
Error NoSuchKeyspace(SourceRange range, const std::string& keyspace);  // "Keyspace 'ks' doesn't exist"
Error AlreadyExists(SourceRange range, const std::string& keyspace, const std::string& table = {});
Error NotSupportedYet(SourceRange range, const std::string& what);

// True if `name` matches Java's \w+. If `dollar`, it may contain $ too.
bool IsName(std::string_view name, bool dollar = false);

// Returns "ks.t", the name of a table in messages.
std::string FullName(const TableSchema& table);

// Returns `schema` itself, without a change to report.
DdlResult Unchanged(const SchemaPtr& schema);
// Returns the snapshot with `keyspace` in place of the keyspace of the same name.
DdlResult WithKeyspace(const SchemaPtr& before, KeyspaceSchema keyspace, SchemaChange change);
DdlResult WithoutKeyspace(const SchemaPtr& before, const std::string& keyspace);
DdlResult WithTable(const SchemaPtr& before, TableSchema table, SchemaChange::Kind kind);

}  // namespace widerow::ddl
