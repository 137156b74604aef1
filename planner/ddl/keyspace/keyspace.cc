// CREATE, ALTER and DROP KEYSPACE.
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/keyspace/replication.h"
#include "planner/schema_change.h"
#include "planner/system_keyspaces.h"

namespace widerow::ddl {

namespace {

constexpr std::string_view kKeyspaceProperties[] = {"durable_writes", "replication"};
constexpr size_t kKeyspaceNameMax = 48;

Status CheckName(const Identifier& name) {
  if (!IsName(name.text)) {
    return InvalidAt(
        name.range,
        "Keyspace name must not be empty and must contain alphanumeric or underscore characters only (got \"" +
            name.text + "\")");
  }
  if (name.text.size() > kKeyspaceNameMax) {
    return InvalidAt(name.range, "Keyspace name must not be more than 48 characters long (got " +
                                     std::to_string(name.text.size()) + " characters for \"" + name.text + "\")");
  }
  return OkStatus();
}

enum class EmptyReplication { kPasses, kIsError };

// Checks that `replication`, if it is given, names a class. ALTER allows an empty map, which changes nothing. CREATE
// refuses an empty map, but only after the check whether the keyspace exists.
Status CheckStrategyIsNamed(const Properties& properties, EmptyReplication empty = EmptyReplication::kPasses) {
  WR_ASSIGN_OR_RETURN(const auto replication, properties.Map("replication"));
  if (!replication || replication->contains("class")) return OkStatus();
  if (replication->empty() && empty == EmptyReplication::kPasses) return OkStatus();
  return ConfigErrorAt(properties.RangeOf("replication"), "Missing replication strategy class");
}

// Checks an ALTER KEYSPACE of system_auth, system_traces or system_distributed, and changes nothing. Set-up scripts of
// clusters run such statements. The server computes the rows of these keyspaces for each SELECT, so their replication
// has no effect.
Result<DdlResult> AlterReplicatedSystemKeyspace(const std::string& name, const Properties& properties,
                                                const SchemaPtr& schema, const DdlContext& context) {
  KeyspaceSchema checked{.name = name};
  std::vector<std::string> ignored;
  WR_RETURN_IF_ERROR(ReadKeyspaceOptions(properties, context.datacenter, checked, ignored));
  DdlResult result = Unchanged(schema);
  result.warnings = {"ALTER KEYSPACE " + name + " changes nothing: this server keeps one copy of the keyspace"};
  return result;
}

}  // namespace

Result<DdlResult> Apply(const CreateKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  const std::string& name = statement.name.text;
  const bool exists = schema->FindKeyspace(name) != nullptr || IsReplicatedSystemKeyspace(name);
  if (IsLocalSystemKeyspace(name)) {
    return InvalidAt(statement.name.range, "System keyspace '" + name + "' is not user-modifiable");
  }
  WR_ASSIGN_OR_RETURN(const Properties properties, Properties::Read(statement.properties, kKeyspaceProperties));
  if (!properties.Has("replication")) {
    return InvalidAt(statement.name.range, "Missing mandatory option 'replication'",
                     "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }
  WR_RETURN_IF_ERROR(CheckStrategyIsNamed(properties));
  if (exists && statement.if_not_exists) return Unchanged(schema);
  if (exists) return AlreadyExists(statement.name.range, name);
  WR_RETURN_IF_ERROR(CheckName(statement.name));
  WR_RETURN_IF_ERROR(CheckStrategyIsNamed(properties, EmptyReplication::kIsError));
  KeyspaceSchema keyspace{.name = name};
  std::vector<std::string> warnings;
  WR_RETURN_IF_ERROR(ReadKeyspaceOptions(properties, context.datacenter, keyspace, warnings));
  DdlResult result = WithKeyspace(schema, std::move(keyspace),
                                  {SchemaChange::Kind::kCreated, SchemaChange::Target::kKeyspace, name, {}});
  result.warnings = std::move(warnings);
  return result;
}

Result<DdlResult> Apply(const AlterKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  const std::string& name = statement.name.text;
  const bool replicated = IsReplicatedSystemKeyspace(name);
  if (!replicated) WR_RETURN_IF_ERROR(CheckUserKeyspace(name));
  WR_ASSIGN_OR_RETURN(const Properties properties, Properties::Read(statement.properties, kKeyspaceProperties));
  if (replicated) return AlterReplicatedSystemKeyspace(name, properties, schema, context);
  WR_RETURN_IF_ERROR(CheckStrategyIsNamed(properties));
  const KeyspaceSchema* const before = schema->FindKeyspace(name);
  if (before == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return NoSuchKeyspace(statement.name.range, name);
  }
  KeyspaceSchema keyspace = *before;
  std::vector<std::string> warnings;
  WR_RETURN_IF_ERROR(ReadKeyspaceOptions(properties, context.datacenter, keyspace, warnings));
  if (keyspace.durable_writes == before->durable_writes && keyspace.replication == before->replication) {
    DdlResult unchanged = Unchanged(schema);
    unchanged.warnings = std::move(warnings);
    return unchanged;
  }
  DdlResult result = WithKeyspace(schema, std::move(keyspace),
                                  {SchemaChange::Kind::kUpdated, SchemaChange::Target::kKeyspace, name, {}});
  result.warnings = std::move(warnings);
  return result;
}

Result<DdlResult> Apply(const DropKeyspaceStatement& statement, const SchemaPtr& schema, const DdlContext&) {
  const std::string& name = statement.name.text;
  WR_RETURN_IF_ERROR(CheckUserKeyspace(name));
  if (schema->FindKeyspace(name) != nullptr) return WithoutKeyspace(schema, name);
  if (statement.if_exists) return Unchanged(schema);
  return NoSuchKeyspace(statement.name.range, name);
}

}  // namespace widerow::ddl
