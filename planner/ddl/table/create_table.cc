// CREATE TABLE, in the order of Cassandra's checks: repeated names, key, values of options, masks, keyspace, existing
// table, options, types, statics and counters. Apply() then gives ids, compiles generated columns and builds the
// partitions.
#include "base/bytes_map.h"
#include "parser/print.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/partition/partition_by.h"
#include "planner/ddl/parts/primary_key.h"
#include "planner/ddl/parts/table_columns.h"
#include "planner/ddl/parts/table_options.h"
#include "planner/generated/generated_columns.h"
#include "planner/schema_change.h"
#include "planner/terms/class_type.h"
#include "planner/terms/resolve_type.h"

namespace widerow::ddl {

namespace {

Status CheckRepeats(const CreateTableStatement& statement, const std::string& written_name) {
  ByteViewSet columns, orders;
  for (const ColumnDefinition& column : statement.columns) {
    if (columns.insert(column.name.text).second) continue;
    return InvalidAt(column.name.range,
                     "Duplicate column '" + column.name.text + "' declaration for table '" + written_name + "'");
  }
  for (const ClusteringOrder& order : statement.clustering_order) {
    if (orders.insert(order.column.text).second) continue;
    return InvalidAt(order.column.range, "Duplicate column '" + order.column.text +
                                             "' in CLUSTERING ORDER BY clause for table '" + written_name + "'");
  }
  return OkStatus();
}

Status RefuseMasks(const CreateTableStatement& statement) {
  for (const ColumnDefinition& column : statement.columns) {
    if (column.mask) return InvalidAt(column.range, kMasksAreOff, kMasksHint);
  }
  return OkStatus();
}

// Refuses COMPACT STORAGE. The hint shows the statement without this clause. Call this after all other checks, so that
// the shown statement passes them.
Status RefuseCompactStorage(const CreateTableStatement& statement) {
  if (!statement.compact_storage) return OkStatus();
  CreateTableStatement without = statement;
  without.compact_storage = false;
  Statement modern;
  modern.node = std::move(without);
  return InvalidAt(statement.name.range, "COMPACT STORAGE tables are not supported",
                   "create the table without this clause: " + Print(modern));
}

Result<std::vector<ColumnSchema>> ReadColumns(const CreateTableStatement& statement, const SchemaSnapshot& schema,
                                              const std::string& keyspace) {
  std::vector<ColumnSchema> columns;
  for (const ColumnDefinition& column : statement.columns) {
    WR_ASSIGN_OR_RETURN(TypePtr type, ResolveType(column.type, schema, keyspace));
    columns.push_back({.name = column.name.text,
                       .kind = column.is_static ? ColumnKind::kStatic : ColumnKind::kRegular,
                       .type = std::move(type),
                       .descending = IsReversedClass(column.type),
                       .generated_as = column.generated_as ? Print(*column.generated_as) : "",
                       .not_null = column.not_null});
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    WR_RETURN_IF_ERROR(CheckColumnType(statement.columns[i].type.range, *columns[i].type));
    WR_RETURN_IF_ERROR(CheckNotNullType(statement.columns[i], *columns[i].type));
  }
  return columns;
}

// Checks the rules about static and counter columns. Call it after ApplyKey, while the table's columns still have the
// order of the statement.
Status CheckOthers(const CreateTableStatement& statement, const TableSchema& table) {
  bool counter = false, other = false;
  SourceRange counter_range;
  for (size_t i = 0; i < statement.columns.size(); ++i) {
    const ColumnDefinition& column = statement.columns[i];
    const ColumnSchema& made = table.columns[i];
    if (made.is_key()) continue;
    if (made.kind == ColumnKind::kStatic && table.clustering_size == 0) return StaticsNeedClustering(column.range);
    const bool is_counter = made.type->kind == TypeKind::kCounter;
    if (is_counter) counter_range = column.range;
    (is_counter ? counter : other) = true;
  }
  if (!counter) return OkStatus();
  if (other) return InvalidAt(counter_range, "Cannot mix counter and non counter columns in the same table");
  if (table.options.default_time_to_live > 0) {
    return InvalidAt(counter_range, "Cannot set default_time_to_live on a table with counters");
  }
  return OkStatus();
}

Status CheckId(const SchemaSnapshot& schema, const Uuid& id, SourceRange range) {
  for (const auto& [keyspace_name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (table->id != id) continue;
      return ConfigErrorAt(
          range, "Table id " + id.ToString() + " is that of table '" + keyspace_name + "." + table_name + "'");
    }
  }
  return OkStatus();
}

std::map<std::string, Term> GeneratedTerms(const CreateTableStatement& statement) {
  std::map<std::string, Term> terms;
  for (const ColumnDefinition& column : statement.columns) {
    if (column.generated_as) terms.emplace(column.name.text, *column.generated_as);
  }
  return terms;
}

Result<TableSchema> BuildTable(const CreateTableStatement& statement, const DeclaredKey& key,
                               const SchemaSnapshot& schema, const std::string& keyspace) {
  WR_ASSIGN_OR_RETURN(TableProperties properties, ReadTableProperties(statement.properties, {}, /*creating=*/true));
  TableSchema table{.keyspace = keyspace, .name = statement.name.name.text, .options = std::move(properties.options)};
  properties.ApplyTo(table);
  WR_ASSIGN_OR_RETURN(table.columns, ReadColumns(statement, schema, keyspace));
  WR_RETURN_IF_ERROR(ApplyKey(statement, key, table.columns));
  table.partition_key_size = static_cast<uint32_t>(key.partition.size());
  table.clustering_size = static_cast<uint32_t>(key.clustering.size());
  WR_RETURN_IF_ERROR(CheckOthers(statement, table));
  WR_RETURN_IF_ERROR(CheckTableName(statement.name, keyspace));
  if (properties.id) {
    WR_RETURN_IF_ERROR(CheckId(schema, *properties.id, statement.name.range));
    table.id = *properties.id;
  }
  return table;
}

}  // namespace

Result<DdlResult> Apply(const CreateTableStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  const std::string& name = statement.name.name.text;
  const std::string written_name = (statement.name.keyspace ? statement.name.keyspace->text + "." : "") + name;
  WR_RETURN_IF_ERROR(CheckRepeats(statement, written_name));
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  if (!context.by_server) WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  WR_ASSIGN_OR_RETURN(const DeclaredKey key, FindDeclaredKey(statement, written_name));
  WR_RETURN_IF_ERROR(CheckTablePropertyValues(statement.properties));
  WR_RETURN_IF_ERROR(RefuseMasks(statement));
  if (schema->FindKeyspace(keyspace) == nullptr) return NoSuchKeyspace(statement.name.range, keyspace);
  if (schema->FindTable(keyspace, name) != nullptr) {
    if (statement.if_not_exists) return Unchanged(schema);
    return AlreadyExists(statement.name.range, keyspace, name);
  }
  for (const ColumnDefinition& column : statement.columns) WR_RETURN_IF_ERROR(CheckColumnClauses(column));
  WR_ASSIGN_OR_RETURN(TableSchema table, BuildTable(statement, key, *schema, keyspace));
  if (table.id == Uuid{}) table.id = Uuid::TimeBased(context.now_micros);
  SortColumns(table);
  for (ColumnSchema& column : table.columns) column.id = table.next_column_id++;
  table.storage_id = context.new_storage_id();
  std::vector<std::string> warnings;
  WR_ASSIGN_OR_RETURN(table.generated, CompileGeneratedColumns(table, *schema, GeneratedTerms(statement), &warnings));
  WR_RETURN_IF_ERROR(ApplyPartitionBy(statement, *schema, table));
  WR_RETURN_IF_ERROR(CheckSplitOptions(statement.properties, context, table));
  WR_RETURN_IF_ERROR(RefuseCompactStorage(statement));
  for (std::string& idle : WarnOfIdleProperties(statement.properties, FullName(table), context)) {
    warnings.push_back(std::move(idle));
  }
  DdlResult result = WithTable(schema, std::move(table), SchemaChange::Kind::kCreated);
  result.warnings = std::move(warnings);
  return result;
}

}  // namespace widerow::ddl
