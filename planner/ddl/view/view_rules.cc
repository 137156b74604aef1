// The functions Check… and Refuse… are rules, with Cassandra's sentences. AlteredViews applies changes of a base table
// to its views: new names of columns (also in WHERE), and new columns for views with SELECT *. If dropped columns were
// added again, the views must be built again (AwaitRows).
#include "planner/ddl/view/view_rules.h"

#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/parts/table_columns.h"
#include "planner/where/view_where.h"

namespace widerow::ddl {

namespace {

using Alter = AlterTableStatement;

std::vector<TablePtr> ViewsOf(const KeyspaceSchema& keyspace, const TableSchema& base) {
  std::vector<TablePtr> views;
  for (const std::string& name : base.views) {
    const auto found = keyspace.tables.find(name);
    WR_CHECK(found != keyspace.tables.end());  // A table's list of views has existing views only.
    views.push_back(found->second);
  }
  return views;
}

bool HasIndexOn(const ColumnSchema& column, const TableSchema& table) {
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [&](const IndexSchema& index) { return index.column == column.id; });
}

Status CheckDropped(const Alter::DropColumns& drop, const TableSchema& table) {
  for (const Identifier& column : drop.columns) {
    const ColumnSchema* const found = table.Find(column.text);
    if (found == nullptr && drop.if_exists) continue;
    // Later checks refuse these columns.
    const bool udt = found != nullptr && found->type->kind == TypeKind::kUdt && !found->type->frozen;
    if (found == nullptr || found->is_key() || udt || HasIndexOn(*found, table)) return OkStatus();
    return InvalidAt(column.range,
                     "Cannot drop column " + column.text + " on base table " + table.name + " with materialized views",
                     "drop the views first, and create them again afterwards");
  }
  return OkStatus();
}

Status CheckAdded(const std::vector<TablePtr>& views, const TableSchema& before, const TableSchema& after,
                  SourceRange range) {
  for (const ColumnSchema& column : after.columns) {
    if (before.FindId(column.id) != nullptr || !column.is_generated()) continue;
    for (const TablePtr& view : views) {
      if (!view->view->include_all_columns) continue;
      return InvalidAt(range,
                       "Cannot add generated column " + column.name + ": materialized view " + view->name +
                           " has all columns, and generated ones are not stored",
                       "create the view with the columns that it is to have");
    }
  }
  return OkStatus();
}

void Rename(std::vector<Identifier>& names, const TableSchema& before, const TableSchema& after) {
  for (Identifier& name : names) {
    const ColumnSchema* const was = before.Find(name.text);
    if (was != nullptr) name.text = after.FindId(was->id)->name;
  }
}

void Rename(std::vector<Condition>& conditions, const TableSchema& before, const TableSchema& after);

void Rename(Condition& condition, const TableSchema& before, const TableSchema& after) {
  std::visit(Overloaded{
                 [&](Relation& c) { Rename(c.target.columns, before, after); },
                 [&](ChainedRelation& c) { Rename(c.target.columns, before, after); },
                 [&](BetweenRelation& c) { Rename(c.target.columns, before, after); },
                 [&](IndexExpression&) {},
                 [&](OrCondition& c) { Rename(c.terms, before, after); },
                 [&](AndCondition& c) { Rename(c.terms, before, after); },
                 [&](NotCondition& c) { Rename(c.operand, before, after); },
             },
             condition.node);
}

void Rename(std::vector<Condition>& conditions, const TableSchema& before, const TableSchema& after) {
  for (Condition& condition : conditions) Rename(condition, before, after);
}

// Gives the view's columns the current names of the base table's columns. True if any name changed.
bool TakeNames(const TableSchema& after, TableSchema& view) {
  bool renamed = false;
  for (ColumnSchema& column : view.columns) {
    const ColumnSchema* const of_base = after.FindId(column.id);
    if (of_base == nullptr || of_base->name == column.name) continue;
    column.name = of_base->name;
    renamed = true;
  }
  return renamed;
}

// If a dropped column came back, marks the view as not built and returns true: rows that have values only in this
// column appear again. A view whose key has a column outside of the table's key needs no new build, because it shows no
// rows without a value in that key column.
bool AwaitRows(const TableSchema& before, const TableSchema& after, TableSchema& view) {
  const bool by_key = std::all_of(view.columns.begin(), view.columns.end(), [&](const ColumnSchema& column) {
    return !column.is_key() || after.FindId(column.id)->is_key();
  });
  if (!by_key || !view.view->built || !ColumnsCameBack(before, after)) return false;
  auto definition = std::make_shared<ViewSchema>(*view.view);
  definition->built = false;
  view.view = std::move(definition);
  return true;
}

bool TakeNewColumns(const TableSchema& before, const TableSchema& after, TableSchema& view) {
  bool added = false;
  for (const ColumnSchema& column : after.columns) {
    if (column.kind != ColumnKind::kRegular || before.FindId(column.id) != nullptr) continue;
    view.columns.push_back({.name = column.name, .id = column.id, .type = column.type});
    added = true;
  }
  return added;
}

}  // namespace

Status CheckViewOptions(const std::vector<Property>& written, const TableProperties& read, ViewChange change,
                        SourceRange range) {
  for (const Property& property : written) {
    const std::string& name = property.name.text;
    if (change == ViewChange::kCreate && name == "default_time_to_live" && read.options.default_time_to_live != 0) {
      return InvalidAt(
          property.range,
          "Cannot set default_time_to_live for a materialized view. Data in a materialized view always expire at the "
          "same time than the corresponding data in the parent table.");
    }
    const bool of_partitions =
        name == "auto_split" || name == "split_size_kb" || name == "split_operations" || name == "tablegroup";
    if (of_partitions) {
      return InvalidAt(property.range, "Materialized views do not have " + name,
                       "they are stored by token, in 16 partitions");
    }
  }
  if (change == ViewChange::kCreate) return OkStatus();
  if (read.options.gc_grace_seconds == 0) {
    return InvalidAt(
        range,
        "Cannot alter gc_grace_seconds of a materialized view to 0, since this value is used to TTL undelivered "
        "updates. Setting gc_grace_seconds too low might cause undelivered updates to expire before being replayed.");
  }
  if (read.options.default_time_to_live > 0) {
    return InvalidAt(
        range,
        "Forbidden default_time_to_live detected for a materialized view. Data in a materialized view always expire "
        "at the same time than the corresponding data in the parent table. default_time_to_live must be set to "
        "zero, see CASSANDRA-12868 for more information");
  }
  return OkStatus();
}

Status RefuseAlterOfView(const TableSchema& table, SourceRange range) {
  if (table.view == nullptr) return OkStatus();
  return InvalidAt(range, "Cannot use ALTER TABLE on a materialized view; use ALTER MATERIALIZED VIEW instead");
}

Status RefuseDropOfView(const TableSchema& table, SourceRange range) {
  if (table.view == nullptr) return OkStatus();
  return InvalidAt(range, "Cannot use DROP TABLE on a materialized view. Please use DROP MATERIALIZED VIEW instead.");
}

Status RefuseDropOfViewed(const TableSchema& table, SourceRange range) {
  if (table.views.empty()) return OkStatus();
  // In Cassandra's sentence, the keyspace's name stands in parentheses.
  std::string drops;
  for (const std::string& view : table.views) {
    drops += (drops.empty() ? "" : " ") + ("DROP MATERIALIZED VIEW " + QuoteIdentifier(view) + ";");
  }
  return InvalidAt(range, "Cannot drop a table when materialized views still depend on it (" + table.keyspace + ")",
                   "before it: " + drops);
}

Status RefuseDropOfViewedColumns(const Alter& statement, const TableSchema& table) {
  const auto* const drop = std::get_if<Alter::DropColumns>(&statement.action);
  return drop == nullptr || table.views.empty() ? OkStatus() : CheckDropped(*drop, table);
}

Status CheckViewedTable(const Alter& statement, const KeyspaceSchema& keyspace, const TableSchema& before,
                        const TableSchema& after) {
  const std::vector<TablePtr> views = ViewsOf(keyspace, before);
  if (views.empty()) return OkStatus();
  WR_RETURN_IF_ERROR(CheckAdded(views, before, after, statement.name.range));
  if (after.options.gc_grace_seconds == 0 && std::holds_alternative<Alter::SetProperties>(statement.action)) {
    return InvalidAt(
        statement.name.range,
        "Cannot alter gc_grace_seconds of the base table of a materialized view to 0, since this value is used to "
        "TTL undelivered updates. Setting gc_grace_seconds too low might cause undelivered updates to expire before "
        "being replayed.");
  }
  return OkStatus();
}

Result<std::vector<TableSchema>> AlteredViews(const Alter& statement, const SchemaSnapshot& schema,
                                              const TableSchema& before, const TablePtr& after) {
  std::vector<TableSchema> altered;
  for (const TablePtr& of_before : ViewsOf(*schema.FindKeyspace(before.keyspace), before)) {
    TableSchema view = *of_before;
    bool changed = TakeNames(*after, view);
    auto definition = std::make_shared<ViewSchema>(*view.view);
    if (changed) {
      WR_ASSIGN_OR_RETURN(std::vector<Condition> where, ParseViewWhere(definition->where_clause));
      Rename(where, before, *after);
      definition->where_clause = PrintViewWhere(where);
      view.view = std::move(definition);
    }
    changed = changed || view.next_column_id != after->next_column_id;
    view.next_column_id = after->next_column_id;
    const bool adds = std::holds_alternative<Alter::AddColumns>(statement.action) && view.view->include_all_columns;
    changed = (adds && TakeNewColumns(before, *after, view)) || changed;
    changed = AwaitRows(before, *after, view) || changed;
    if (!changed) continue;
    SortColumns(view);
    altered.push_back(std::move(view));
  }
  return altered;
}

}  // namespace widerow::ddl
