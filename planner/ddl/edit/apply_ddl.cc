#include "planner/ddl/edit/apply_ddl.h"

#include "parser/print.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/schema_change.h"

namespace widerow {

Result<DdlResult> ApplyDdl(const Statement& statement, const SchemaPtr& schema, const DdlContext& context) {
  return std::visit(
      [&](const auto& node) -> Result<DdlResult> {
        if constexpr (requires { ddl::Apply(node, schema, context); }) {
          return ddl::Apply(node, schema, context);
        } else {
          return ddl::NotSupportedYet(statement.range, StatementName(statement));
        }
      },
      statement.node);
}

namespace {

TableSchema Emptied(const TableSchema& table, const std::function<StorageId()>& new_storage_id) {
  TableSchema emptied = table;
  emptied.storage_id = new_storage_id();
  emptied.partitioning.extents.clear();
  for (IndexSchema& index : emptied.indexes) {
    TableSchema entries = *index.entries;
    entries.storage_id = new_storage_id();
    index.entries = std::make_shared<const TableSchema>(std::move(entries));
  }
  return emptied;
}

}  // namespace

SchemaPtr ApplyTruncate(const SchemaPtr& schema, const TableSchema& table,
                        const std::function<StorageId()>& new_storage_id) {
  const TablePtr newest = schema->FindTable(table.keyspace, table.name);
  if (newest == nullptr) return schema;
  SchemaPtr next = ddl::WithTable(schema, Emptied(*newest, new_storage_id), SchemaChange::Kind::kUpdated).schema;
  for (const std::string& name : newest->views) {
    const TablePtr view = next->FindTable(table.keyspace, name);
    if (view != nullptr)
      next = ddl::WithTable(next, Emptied(*view, new_storage_id), SchemaChange::Kind::kUpdated).schema;
  }
  return next;
}

}  // namespace widerow
