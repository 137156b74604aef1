// What the DDL statements share: finding and guarding what they name, and building the next snapshot. A snapshot shares
// every keyspace, table and type that did not change with the one before it.
#pragma once

#include "planner/ddl/edit/apply_ddl.h"
#include "planner/schema_change.h"

namespace widerow::ddl {

// "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename"
Result<std::string> KeyspaceOf(const QualifiedName& name, const DdlContext& context);
// kUnauthorized, "system keyspace is not user-modifiable."
Status CheckUserKeyspace(const std::string& keyspace);
Error NoSuchKeyspace(SourceRange range, const std::string& keyspace);  // "Keyspace 'ks' doesn't exist"
Error AlreadyExists(SourceRange range, const std::string& keyspace, const std::string& table = {});
Error NotSupportedYet(SourceRange range, const std::string& what);

// `what`, as Java's \w+ has it; `dollar` lets $ in too.
bool IsName(std::string_view name, bool dollar = false);
// "a, b"
std::string Join(const std::vector<std::string>& parts);

// "ks.t", as messages name a table.
std::string FullName(const TableSchema& table);

DdlResult Unchanged(const SchemaPtr& schema);
// `keyspace` put in the place of the one of its name.
DdlResult WithKeyspace(const SchemaPtr& before, KeyspaceSchema keyspace, SchemaChange change);
DdlResult WithoutKeyspace(const SchemaPtr& before, const std::string& keyspace);
DdlResult WithTable(const SchemaPtr& before, TableSchema table, SchemaChange::Kind kind);

}  // namespace widerow::ddl
