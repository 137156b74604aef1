// ALTER and DROP MATERIALIZED VIEW.
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/parts/table_options.h"
#include "planner/ddl/view/view_rules.h"
#include "planner/schema_change.h"
#include "planner/system_keyspaces.h"

namespace widerow::ddl {

namespace {

// Returns null if there is no view of this name, also if there is a table of this name.
TablePtr FindView(const SchemaSnapshot& schema, const std::string& keyspace, const std::string& name) {
  TablePtr table = schema.FindTable(keyspace, name);
  return table == nullptr || table->view == nullptr ? nullptr : table;
}

Error NoSuchView(const QualifiedName& name, const std::string& keyspace) {
  return InvalidAt(name.range, "Materialized view '" + keyspace + "." + name.name.text + "' doesn't exist");
}

// Refuses system keyspaces with the sentence that Cassandra uses for ALTER and DROP MATERIALIZED VIEW.
Status CheckKeyspace(const QualifiedName& name, const std::string& keyspace) {
  if (!IsSystemKeyspace(keyspace)) return OkStatus();
  return InvalidAt(name.range, "System keyspace '" + keyspace + "' is not user-modifiable");
}

}  // namespace

Result<DdlResult> Apply(const AlterMaterializedViewStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckKeyspace(statement.name, keyspace));
  const TablePtr before = FindView(*schema, keyspace, statement.name.name.text);
  if (before == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return NoSuchView(statement.name, keyspace);
  }
  WR_ASSIGN_OR_RETURN(TableProperties properties,
                      ReadTableProperties(statement.properties, before->options, /*creating=*/false));
  WR_RETURN_IF_ERROR(CheckViewOptions(statement.properties, properties, ViewChange::kAlter, statement.name.range));
  std::vector<std::string> warnings = WarnOfIdleProperties(statement.properties, FullName(*before), context);
  TableSchema view = *before;
  view.options = std::move(properties.options);
  DdlResult result = view.options == before->options ? Unchanged(schema)
                                                     : WithTable(schema, std::move(view), SchemaChange::Kind::kUpdated);
  result.warnings = std::move(warnings);
  return result;
}

Result<DdlResult> Apply(const DropMaterializedViewStatement& statement, const SchemaPtr& schema,
                        const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string name, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckKeyspace(statement.name, name));
  const std::string& view = statement.name.name.text;
  const TablePtr dropped = FindView(*schema, name, view);
  if (dropped == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return NoSuchView(statement.name, name);
  }
  KeyspaceSchema keyspace = *schema->FindKeyspace(name);
  const TablePtr base = keyspace.tables.at(dropped->view->base_table);
  TableSchema left = *base;
  std::erase(left.views, view);
  keyspace.tables[base->name] = std::make_shared<const TableSchema>(std::move(left));
  keyspace.tables.erase(view);
  return WithKeyspace(schema, std::move(keyspace),
                      {SchemaChange::Kind::kDropped, SchemaChange::Target::kTable, name, view});
}

}  // namespace widerow::ddl
