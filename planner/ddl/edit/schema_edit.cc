#include "planner/ddl/edit/schema_edit.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "planner/schema_change.h"
#include "planner/system_keyspaces.h"

namespace widerow::ddl {

Result<std::string> KeyspaceOf(const QualifiedName& name, const DdlContext& context) {
  if (name.keyspace) return name.keyspace->text;
  if (!context.current_keyspace.empty()) return context.current_keyspace;
  return InvalidAt(name.range,
                   "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

Status CheckUserKeyspace(const std::string& keyspace) {
  if (!IsLocalSystemKeyspace(keyspace) && !IsReplicatedSystemKeyspace(keyspace)) return OkStatus();
  return Error{.code = ErrorCode::kUnauthorized, .message = keyspace + " keyspace is not user-modifiable."};
}

Error NoSuchKeyspace(SourceRange range, const std::string& keyspace) {
  return InvalidAt(range, "Keyspace '" + keyspace + "' doesn't exist");
}

Error AlreadyExists(SourceRange range, const std::string& keyspace, const std::string& table) {
  const std::string message =
      table.empty() ? "Cannot add existing keyspace \"" + keyspace + "\""
                    : StrCat("Cannot add already existing table \"", table, "\" to keyspace \"", keyspace, "\"");
  return {.code = ErrorCode::kAlreadyExists, .message = message, .range = range, .keyspace = keyspace, .table = table};
}

Error NotSupportedYet(SourceRange range, const std::string& what) {
  return InvalidAt(range, what + " is not supported yet");
}

bool IsName(std::string_view name, bool dollar) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [dollar](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (dollar && c == '$');
  });
}

std::string FullName(const TableSchema& table) {
  return QuoteIdentifier(table.keyspace) + "." + QuoteIdentifier(table.name);
}

DdlResult Unchanged(const SchemaPtr& schema) { return {.schema = schema}; }

DdlResult WithKeyspace(const SchemaPtr& before, KeyspaceSchema keyspace, SchemaChange change) {
  auto next = std::make_shared<SchemaSnapshot>(*before);
  next->version = Uuid::Random();
  const std::string name = keyspace.name;
  next->keyspaces[name] = std::make_shared<const KeyspaceSchema>(std::move(keyspace));
  return {.schema = std::move(next), .change = std::move(change)};
}

DdlResult WithoutKeyspace(const SchemaPtr& before, const std::string& keyspace) {
  auto next = std::make_shared<SchemaSnapshot>(*before);
  next->version = Uuid::Random();
  next->keyspaces.erase(keyspace);
  return {.schema = std::move(next),
          .change = SchemaChange{SchemaChange::Kind::kDropped, SchemaChange::Target::kKeyspace, keyspace, {}}};
}

DdlResult WithTable(const SchemaPtr& before, TableSchema table, SchemaChange::Kind kind) {
  const KeyspaceSchema* const holder = before->FindKeyspace(table.keyspace);
  WR_CHECK(holder != nullptr);
  KeyspaceSchema keyspace = *holder;
  SchemaChange change{kind, SchemaChange::Target::kTable, table.keyspace, table.name};
  const std::string name = table.name;
  keyspace.tables[name] = std::make_shared<const TableSchema>(std::move(table));
  return WithKeyspace(before, std::move(keyspace), std::move(change));
}

}  // namespace widerow::ddl
