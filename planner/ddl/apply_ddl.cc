#include "planner/ddl/apply_ddl.h"

#include "parser/print.h"
#include "planner/ddl/schema_edit.h"
#include "planner/ddl/statements.h"

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

SchemaPtr ApplyTruncate(const SchemaPtr& schema, const TableSchema& table, StorageId new_storage_id) {
  const TablePtr newest = schema->FindTable(table.keyspace, table.name);
  if (newest == nullptr) return schema;
  TableSchema emptied = *newest;
  emptied.storage_id = new_storage_id;
  emptied.partitioning.extents.clear();
  return ddl::WithTable(schema, std::move(emptied), SchemaChange::Kind::kUpdated).schema;
}

}  // namespace widerow
