// ALTER TABLE and DROP TABLE. Perform() calls the function of the action, which checks and edits a copy of the table.
// Apply() calls Perform(). Apply() also checks the rules about views, plans the expressions of generated columns again,
// and alters the table's views in the same step. If nothing changed, Apply() returns the old schema.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/bytes_map.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/counter_rules.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/edit/type_use.h"
#include "planner/ddl/partition/partition_by.h"
#include "planner/ddl/parts/readd_column.h"
#include "planner/ddl/parts/table_columns.h"
#include "planner/ddl/parts/table_options.h"
#include "planner/ddl/view/view_rules.h"
#include "planner/generated/generated_columns.h"
#include "planner/schema_change.h"
#include "planner/terms/resolve_type.h"
#include "types/index_words.h"

namespace widerow::ddl {

namespace {

using Alter = AlterTableStatement;

// Returns the id of an added column. A column that was dropped and is added again gets its old id, so values that were
// written after the drop's time belong to it. A generated column has no stored values and gets a new id.
ColumnId IdOfAdded(const ColumnDefinition& column, TableSchema& table) {
  const DroppedColumn* const dropped = table.FindDropped(column.name.text);
  const bool comes_back = dropped != nullptr && dropped->id != kNoColumnId && !column.generated_as;
  return comes_back ? dropped->id : table.next_column_id++;
}

// Marks the indexes on key columns as not built. Rows that have values only in a dropped column appear again when the
// column is added again, and these indexes must find them too. Fails if one of these indexes is unique, because the
// rows may have values that other rows have taken since.
Status RebuildIndexesOnKeys(TableSchema& table) {
  for (IndexSchema& index : table.indexes) {
    const ColumnSchema& column = *table.FindId(index.column);
    if (!column.is_key()) continue;
    if (IsUnique(index)) {
      return InvalidError("Cannot add a dropped column again while there is the unique index " + index.name +
                              " on primary key column " + column.name,
                          "rows may come back with the column; drop the index first");
    }
    index.built = false;
  }
  return OkStatus();
}

// Refuses counters in a table without counters, and other columns in a table with counters. As in Cassandra, all
// other errors in the added columns are reported first, and the message has the table's name without quotes.
Status CheckCounters(const Alter::AddColumns& action, const TableSchema& before, const TableSchema& after) {
  const bool counters = IsCounterTable(before);
  for (const ColumnSchema& column : after.columns) {
    const bool counter = column.type->kind == TypeKind::kCounter;
    if (counter == counters || before.Find(column.name) != nullptr) continue;
    const auto written =
        std::find_if(action.columns.begin(), action.columns.end(),
                     [&](const ColumnDefinition& definition) { return definition.name.text == column.name; });
    return ConfigErrorAt(
        written->range, StrCat(after.keyspace, ".", after.name, ": Cannot have a ", counter ? "" : "non ",
                               "counter column (\"", column.name, "\") in a ", counter ? "non " : "", "counter table"));
  }
  return OkStatus();
}

Status Add(const Alter::AddColumns& action, const SchemaSnapshot& schema, TableSchema& table) {
  const TableSchema before = table;
  ByteViewSet names;
  for (const ColumnSchema& column : before.columns) names.insert(column.name);
  for (const ColumnDefinition& column : action.columns) {
    WR_ASSIGN_OR_RETURN(const TypePtr type, ResolveType(column.type, schema, table.keyspace));
    if (!names.insert(column.name.text).second) {
      if (action.if_not_exists) continue;
      return InvalidAt(column.name.range, "Column with name '" + column.name.text + "' already exists");
    }
    WR_RETURN_IF_ERROR(CheckColumnClauses(column));
    if (column.not_null && !column.generated_as) {
      return InvalidAt(column.range, "Cannot add a NOT NULL column: the rows that there are have no value for it",
                       "ADD " + column.name.text + " without NOT NULL");
    }
    if (column.is_static && table.clustering_size == 0) return StaticsNeedClustering(column.range);
    WR_RETURN_IF_ERROR(CheckColumnType(column.type.range, *type));
    WR_RETURN_IF_ERROR(CheckReadded(table, column, *type));
    table.columns.push_back({.name = column.name.text,
                             .id = IdOfAdded(column, table),
                             .kind = column.is_static ? ColumnKind::kStatic : ColumnKind::kRegular,
                             .type = type,
                             .generated_as = column.generated_as ? Print(*column.generated_as) : "",
                             .not_null = column.not_null});
  }
  SortColumns(table);
  WR_RETURN_IF_ERROR(CheckCounters(action, before, table));
  return ColumnsCameBack(before, table) ? RebuildIndexesOnKeys(table) : OkStatus();
}

Result<int64_t> DropTime(const std::optional<Term>& timestamp, int64_t now_micros) {
  if (!timestamp) return now_micros;
  const auto* literal = std::get_if<Literal>(&timestamp->node);
  if (literal != nullptr && literal->kind == Literal::Kind::kInteger) {
    int64_t micros = 0;
    const std::string& text = literal->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), micros);
    if (error == std::errc() && end == text.data() + text.size()) return micros;
  }
  return InvalidAt(timestamp->range, "USING TIMESTAMP of ALTER TABLE … DROP takes a number of microseconds");
}

// Refuses to drop a column while a generated column is derived from it.
Status RefuseSource(const ColumnSchema& column, const TableSchema& table, SourceRange range) {
  if (table.generated == nullptr) return OkStatus();
  const auto index = static_cast<uint32_t>(&column - table.columns.data());
  for (const GeneratedColumn& generated : table.generated->columns) {
    if (std::find(generated.sources.begin(), generated.sources.end(), index) == generated.sources.end()) continue;
    const ColumnSchema& derived = table.columns[generated.column];
    return InvalidAt(
        range, StrCat("Cannot drop column ", column.name, ": generated column ", derived.name, " is derived from it"),
        derived.is_key() ? "" : "drop " + derived.name + " first");
  }
  return OkStatus();
}

// Returns "by_v, by_w", the indexes on the column.
std::string IndexesOn(const ColumnSchema& column, const TableSchema& table) {
  std::vector<std::string> names;
  for (const IndexSchema& index : table.indexes) {
    if (index.column == column.id) names.push_back(index.name);
  }
  return JoinNames(names);
}

// Drops the columns, each of which is in `names` once.
void DropColumns(const std::vector<std::string>& names, int64_t micros, TableSchema& table) {
  ByteViewMap<const DroppedColumn*> before;
  for (const DroppedColumn& dropped : table.dropped_columns) before.emplace(dropped.name, &dropped);
  std::vector<DroppedColumn> dropped_now;
  for (const std::string& name : names) {
    const ColumnSchema& column = *table.Find(name);
    DroppedColumn& dropped = dropped_now.emplace_back(DroppedColumn{.name = name,
                                                                    .type = ExpandUdts(column.type),
                                                                    .is_static = column.kind == ColumnKind::kStatic,
                                                                    .dropped_micros = micros,
                                                                    .id = column.id,
                                                                    .gone_micros = micros});
    // Values that an earlier drop removed stay removed, even if this drop has an older time.
    const auto earlier = before.find(name);
    if (earlier == before.end() || earlier->second->id != column.id) continue;
    dropped.gone_micros = std::max(micros, earlier->second->gone_micros);
  }
  const ByteViewSet gone(names.begin(), names.end());
  std::erase_if(table.dropped_columns, [&](const DroppedColumn& dropped) { return gone.contains(dropped.name); });
  std::move(dropped_now.begin(), dropped_now.end(), std::back_inserter(table.dropped_columns));
  std::erase_if(table.columns, [&](const ColumnSchema& column) { return gone.contains(column.name); });
}

Status Drop(const Alter::DropColumns& action, int64_t now_micros, TableSchema& table) {
  WR_ASSIGN_OR_RETURN(const int64_t dropped_micros, DropTime(action.timestamp, now_micros));
  std::vector<std::string> names;
  ByteViewSet seen;  // A column may be named twice: DROP (v, v).
  for (const Identifier& column : action.columns) {
    const ColumnSchema* const found = table.Find(column.text);
    if (found == nullptr) {
      if (action.if_exists) continue;
      return InvalidAt(column.range, StrCat("Column ", column.text, " was not found in table '", FullName(table), "'"));
    }
    if (found->is_key()) return InvalidAt(column.range, "Cannot drop PRIMARY KEY column " + column.text);
    const std::vector<ColumnId>& partitioning = table.partitioning.columns;
    if (std::find(partitioning.begin(), partitioning.end(), found->id) != partitioning.end()) {
      return InvalidAt(column.range, "Cannot drop column " + column.text + ": the table is partitioned by it");
    }
    WR_RETURN_IF_ERROR(RefuseSource(*found, table, column.range));
    if (const std::string indexes = IndexesOn(*found, table); !indexes.empty()) {
      return InvalidAt(
          column.range,
          StrCat("Cannot drop column ", column.text, " because it has dependent secondary indexes (", indexes, ")"),
          "DROP INDEX first");
    }
    // After the drop, the UDT could be replaced by another one of the same name, which would read the stored values.
    if (found->type->kind == TypeKind::kUdt && !found->type->frozen) {
      return InvalidAt(column.range, "Cannot drop non-frozen column " + column.text + " of user type " +
                                         QuoteIdentifier(found->type->name));
    }
    if (seen.insert(column.text).second) names.push_back(column.text);
  }
  DropColumns(names, dropped_micros, table);
  return OkStatus();
}

Status RenameInExpressions(const Alter::RenameColumns& action, TableSchema& table) {
  std::vector<std::pair<std::string, std::string>> renames;
  for (const auto& [from, to] : action.renames) renames.emplace_back(from.text, to.text);
  for (ColumnSchema& column : table.columns) {
    if (!column.is_generated()) continue;
    WR_ASSIGN_OR_RETURN(column.generated_as, RenameColumns(column.generated_as, renames));
  }
  return OkStatus();
}

// Renames all columns at once: RENAME a TO b AND b TO a swaps two names.
Status Rename(const Alter::RenameColumns& action, TableSchema& table) {
  const TableSchema before = table;
  for (const auto& [from, to] : action.renames) {
    const ColumnSchema* const column = before.Find(from.text);
    // In Cassandra, IF EXISTS makes no difference here.
    if (column == nullptr) {
      return InvalidAt(from.range,
                       StrCat("Undefined column name ", QuoteIdentifier(from.text), " in table ", FullName(table)));
    }
    if (!column->is_key()) return InvalidAt(from.range, "Cannot rename non PRIMARY KEY column " + from.text);
    if (before.Find(to.text) != nullptr || table.Find(to.text) != nullptr) {
      return InvalidAt(to.range, StrCat("Cannot rename column ", from.text, " to ", to.text, " in table '",
                                        FullName(table), "'; another column with that name already exists"));
    }
    if (const std::string indexes = IndexesOn(*column, table); !indexes.empty()) {
      return InvalidAt(
          from.range,
          StrCat("Can't rename column ", from.text, " because it has dependent secondary indexes (", indexes, ")"),
          "DROP INDEX first, and create it again under the new name");
    }
    table.columns[static_cast<size_t>(column - before.columns.data())].name = to.text;
  }
  return RenameInExpressions(action, table);
}

// Refuses a new expression for a generated column. Rows were stored with the values of the old expression, and the new
// one would not find them.
Status RefuseNewExpression(const Alter::AlterGenerated& action, const TableSchema& table) {
  const std::string& name = action.column.text;
  const ColumnSchema* const column = table.Find(name);
  if (column == nullptr) {
    return InvalidAt(action.column.range, StrCat("Column ", name, " was not found in table '", FullName(table), "'"));
  }
  const std::string expression = Print(action.expression);
  if (!column->is_generated()) {
    return InvalidAt(
        action.column.range, "Column " + name + " is not generated: it cannot become so",
        StrCat("create a table with ", name, " GENERATED ALWAYS AS (", expression, ") and COPY the rows into it"));
  }
  return InvalidAt(action.column.range, "The expression of generated column " + name + " cannot be altered",
                   StrCat("rows stand where ", column->generated_as, " put them: create a table with ", name,
                          " GENERATED ALWAYS AS (", expression, "), COPY the rows into it without the column ", name,
                          ", and drop this one"));
}

// Drops the mask of a column. This changes nothing, because no column has a mask; only the column must exist.
Status DropMask(const Alter::AlterMask& action, const TableSchema& table) {
  const std::string& name = action.column.text;
  if (table.Find(name) != nullptr || action.if_exists) return OkStatus();
  return InvalidAt(action.column.range,
                   StrCat("Column with name '", name, "' doesn't exist on table '", table.name, "'"));
}

Status Perform(const AlterTableStatement& statement, const SchemaSnapshot& schema, const DdlContext& context,
               TableSchema& table) {
  const SourceRange range = statement.name.range;
  return std::visit(
      Overloaded{
          [&](const Alter::AddColumns& action) { return Add(action, schema, table); },
          [&](const Alter::DropColumns& action) { return Drop(action, context.now_micros, table); },
          [&](const Alter::RenameColumns& action) { return Rename(action, table); },
          [&](const Alter::AlterType& action) -> Status {
            return InvalidAt(action.column.range, "Altering column types is no longer supported");
          },
          [&](const Alter::AlterGenerated& action) { return RefuseNewExpression(action, table); },
          [&](const Alter::AlterMask& action) { return DropMask(action, table); },
          [&](const Alter::SetProperties& action) -> Status {
            WR_ASSIGN_OR_RETURN(TableProperties read,
                                ReadTableProperties(action.properties, table.options, /*creating=*/false));
            if (read.options.default_time_to_live > 0 && IsCounterTable(table)) {
              return InvalidAt(range, "Cannot set default_time_to_live on a table with counters");
            }
            read.ApplyTo(table);
            table.options = std::move(read.options);
            WR_RETURN_IF_ERROR(CheckSplitOptions(action.properties, context, table));
            return read.tablegroup && !table.tablegroup.empty() ? CheckGroup(schema, table, range) : OkStatus();
          },
          [&](const Alter::DropCompactStorage&) -> Status {
            return InvalidAt(range, "DROP COMPACT STORAGE is disabled. Enable in cassandra.yaml to use.");
          },
          [&](const Alter::AlterPartitions& action) { return AlterPartitions(action, range, schema, context, table); },
      },
      statement.action);
}

// True if the statement has changed nothing, for example because of IF [NOT] EXISTS.
bool IsUnchanged(const TableSchema& before, const TableSchema& after) {
  const auto same_name = [](const ColumnSchema& a, const ColumnSchema& b) { return a.name == b.name; };
  if (before.partitioning != after.partitioning || before.partition_map != after.partition_map) return false;
  return before.options == after.options && before.tablegroup == after.tablegroup &&
         std::equal(before.columns.begin(), before.columns.end(), after.columns.begin(), after.columns.end(),
                    same_name);
}

Error NoSuchTable(const QualifiedName& name, const std::string& keyspace) {
  return InvalidAt(name.range, StrCat("Table '", keyspace, ".", name.name.text, "' doesn't exist"));
}

std::map<std::string, Term> AddedTerms(const AlterTableStatement& statement, const TableSchema& before) {
  std::map<std::string, Term> terms;
  if (const auto* add = std::get_if<Alter::AddColumns>(&statement.action)) {
    for (const ColumnDefinition& column : add->columns) {
      if (column.generated_as && before.Find(column.name.text) == nullptr)
        terms.emplace(column.name.text, *column.generated_as);
    }
  }
  return terms;
}

// Alters the views of the altered table in the same step.
Result<DdlResult> WithViews(const AlterTableStatement& statement, const TableSchema& before, DdlResult altered) {
  const TablePtr after = altered.schema->FindTable(before.keyspace, before.name);
  WR_ASSIGN_OR_RETURN(std::vector<TableSchema> views, AlteredViews(statement, *altered.schema, before, after));
  for (TableSchema& view : views) {
    altered.schema = WithTable(altered.schema, std::move(view), SchemaChange::Kind::kUpdated).schema;
  }
  return altered;
}

std::vector<std::string> WarningsOf(const AlterTableStatement& statement, const TableSchema& table,
                                    const DdlContext& context) {
  const auto* const set = std::get_if<Alter::SetProperties>(&statement.action);
  return set == nullptr ? std::vector<std::string>() : WarnOfIdleProperties(set->properties, FullName(table), context);
}

}  // namespace

Result<DdlResult> Apply(const AlterTableStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  // As in Cassandra, a mask is refused before the table and the column are looked up.
  if (const auto* of_mask = std::get_if<Alter::AlterMask>(&statement.action); of_mask != nullptr && of_mask->mask)
    return InvalidAt(of_mask->column.range, kMasksAreOff, kMasksHint);
  if (const auto* set = std::get_if<Alter::SetProperties>(&statement.action))
    WR_RETURN_IF_ERROR(CheckTablePropertyValues(set->properties));
  const TablePtr before = schema->FindTable(keyspace, statement.name.name.text);
  if (before == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return NoSuchTable(statement.name, keyspace);
  }
  WR_RETURN_IF_ERROR(RefuseAlterOfView(*before, statement.name.range));
  WR_RETURN_IF_ERROR(RefuseDropOfViewedColumns(statement, *before));
  TableSchema table = *before;
  WR_RETURN_IF_ERROR(Perform(statement, *schema, context, table));
  if (std::holds_alternative<Alter::AlterMask>(statement.action)) return Unchanged(schema);
  WR_RETURN_IF_ERROR(CheckViewedTable(statement, *schema->FindKeyspace(keyspace), *before, table));
  std::vector<std::string> warnings = WarningsOf(statement, table, context);
  if (IsUnchanged(*before, table)) return DdlResult{.schema = schema, .change = {}, .warnings = std::move(warnings)};
  WR_ASSIGN_OR_RETURN(table.generated,
                      CompileGeneratedColumns(table, *schema, AddedTerms(statement, *before), nullptr));
  if (std::holds_alternative<Alter::AlterPartitions>(statement.action)) {
    // Reports no schema change: drivers see no difference.
    DdlResult result = WithTable(schema, std::move(table), SchemaChange::Kind::kUpdated);
    result.change.reset();
    return result;
  }
  DdlResult altered = WithTable(schema, std::move(table), SchemaChange::Kind::kUpdated);
  altered.warnings = std::move(warnings);
  return WithViews(statement, *before, std::move(altered));
}

Result<DdlResult> Apply(const DropTableStatement& statement, const SchemaPtr& schema, const DdlContext& context) {
  WR_ASSIGN_OR_RETURN(const std::string name, KeyspaceOf(statement.name, context));
  WR_RETURN_IF_ERROR(CheckUserKeyspace(name));
  const std::string& table = statement.name.name.text;
  const TablePtr dropped = schema->FindTable(name, table);
  if (dropped == nullptr) {
    if (statement.if_exists) return Unchanged(schema);
    return NoSuchTable(statement.name, name);
  }
  WR_RETURN_IF_ERROR(RefuseDropOfView(*dropped, statement.name.range));
  WR_RETURN_IF_ERROR(RefuseDropOfViewed(*dropped, statement.name.range));
  KeyspaceSchema keyspace = *schema->FindKeyspace(name);
  keyspace.tables.erase(table);
  return WithKeyspace(schema, std::move(keyspace),
                      {SchemaChange::Kind::kDropped, SchemaChange::Target::kTable, name, table});
}

}  // namespace widerow::ddl
