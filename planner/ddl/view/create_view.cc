// CREATE MATERIALIZED VIEW, in the order of Cassandra's checks: names, base table, selected columns, key, WHERE,
// options. The view becomes a table of its own (TableSchema::view is set), with the column ids of the base table. The
// same step adds it to the base table's list of views.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "parser/print.h"
#include "planner/ddl/edit/schema_edit.h"
#include "planner/ddl/edit/statements.h"
#include "planner/ddl/edit/type_use.h"
#include "planner/ddl/parts/primary_key.h"
#include "planner/ddl/parts/table_columns.h"
#include "planner/ddl/parts/table_options.h"
#include "planner/ddl/view/view_rules.h"
#include "planner/terms/planning.h"
#include "planner/where/view_where.h"

namespace widerow::ddl {

namespace {

using Create = CreateMaterializedViewStatement;

// Cassandra's warning about views. Widerow sends it too, because users may run the same statements on Cassandra later.
constexpr const char* kExperimental = "Materialized views are experimental and are not recommended for production use.";

Status CheckBase(const Create& statement, const TableSchema& base) {
  const SourceRange range = statement.select.table.range;
  const auto is_counter = [](const ColumnSchema& column) { return column.type->kind == TypeKind::kCounter; };
  if (std::any_of(base.columns.begin(), base.columns.end(), is_counter)) {
    return InvalidAt(range, "Materialized views are not supported on counter tables");
  }
  if (base.view != nullptr) {
    return InvalidAt(range, "Materialized views cannot be created against other materialized views",
                     StrCat("create it on ", base.view->base_table, ", the table that ", base.name, " is a view of"));
  }
  if (base.options.gc_grace_seconds == 0) {
    return InvalidAt(
        range, StrCat("Cannot create materialized view '", statement.name.name.text, "' for base table '", base.name,
                      "' with gc_grace_seconds of 0, since this value is used to TTL undelivered updates. Setting "
                      "gc_grace_seconds too low might cause undelivered updates to expire before being replayed."));
  }
  return OkStatus();
}

// Returns the selected columns of the base table. Refuses generated columns outside of the key, which are not stored.
Result<std::set<std::string>> SelectedColumns(const Create& statement, const TableSchema& base) {
  std::set<std::string> selected;
  for (const Selector& selector : statement.select.selectors) {
    if (selector.alias) {
      return InvalidAt(selector.term.range,
                       StrCat("Cannot use aliases when defining a materialized view (got ", Print(selector.term),
                              " AS ", QuoteIdentifier(selector.alias->text), ")"));
    }
    const auto* const column = std::get_if<ColumnRef>(&selector.term.node);
    if (column == nullptr) {
      return InvalidAt(selector.term.range, "Can only select columns by name when defining a materialized view (got " +
                                                Print(selector.term) + ")");
    }
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const uint32_t index, FindColumn(base, column->name));
    selected.insert(column->name.text);
  }
  if (statement.select.selectors.empty()) {
    for (const ColumnSchema& column : base.columns) selected.insert(column.name);
  }
  for (const ColumnSchema& column : base.columns) {
    if (!selected.contains(column.name)) continue;
    if (column.kind == ColumnKind::kStatic) {
      return InvalidAt(statement.select.table.range, StrCat("Cannot include static column '", column.name,
                                                            "' in materialized view '", statement.name.name.text, "'"));
    }
    if (column.is_generated() && !column.is_key()) {
      return InvalidAt(
          statement.select.table.range,
          StrCat("Cannot include generated column '", column.name, "' in materialized view '", statement.name.name.text,
                 "'"),
          "it is computed when rows of " + base.name + " are read: name the columns that the view is to have");
    }
  }
  return selected;
}

Status CheckKeyType(const Identifier& name, const Type& type) {
  const std::string tail = " for PRIMARY KEY column '" + name.text + "'";
  if (type.is_multi_cell()) {
    const std::string what = type.is_collection() ? "non-frozen collection type '" : "non-frozen user-defined type '";
    return InvalidAt(name.range, StrCat("Invalid ", what, TypeText(type), "'", tail));
  }
  if (type.kind == TypeKind::kCounter) return InvalidAt(name.range, "counter type is not supported" + tail);
  if (UsesDuration(type)) return InvalidAt(name.range, "duration type is not supported" + tail);
  if (UsesLongBlob(type)) {
    return InvalidAt(name.range, "LOB type is not supported" + tail,
                     "a key holds at most 65535 bytes: varbinary(65535) is the longest type for it");
  }
  return OkStatus();
}

// Returns the names of the view's key columns, the partition key first.
Result<std::vector<std::string>> CheckKey(const Create& statement, const std::set<std::string>& selected,
                                          const TableSchema& base) {
  const std::string& view = statement.name.name.text;
  std::vector<std::string> names;
  for (const std::vector<Identifier>* part : {&statement.partition_key, &statement.clustering_key}) {
    for (const Identifier& name : *part) {
      const ColumnSchema* const column = base.Find(name.text);
      if (column == nullptr || !selected.contains(name.text)) {
        return InvalidAt(
            name.range,
            StrCat("Unknown column '", name.text, "' referenced in PRIMARY KEY for materialized view '", view, "'"),
            column == nullptr ? "" : "select it: SELECT " + QuoteIdentifier(name.text) + ", …");
      }
      if (std::find(names.begin(), names.end(), name.text) != names.end()) {
        return InvalidAt(name.range, StrCat("Duplicate column '", name.text,
                                            "' in PRIMARY KEY clause for materialized view '", view, "'"));
      }
      names.push_back(name.text);
      WR_RETURN_IF_ERROR(CheckKeyType(name, *column->type));
      if (column->is_generated() && !column->is_key()) {
        return InvalidAt(
            name.range, "Generated column '" + name.text + "' cannot be part of the PRIMARY KEY of a materialized view",
            "it is stored nowhere; one that is part of the key of " + base.name + " can");
      }
    }
  }
  return names;
}

// Checks that the view's key has the whole key of the base table and at most one other column. So each row of the view
// belongs to exactly one base row, and each base row has at most one row in the view.
Status CheckKeyAgainstBase(const Create& statement, const std::vector<std::string>& key, const TableSchema& base) {
  const SourceRange range = statement.partition_key.front().range;
  std::vector<std::string> missing, added;
  for (const ColumnSchema& column : base.columns) {
    if (column.is_key() && std::find(key.begin(), key.end(), column.name) == key.end()) missing.push_back(column.name);
  }
  for (const std::string& name : key) {
    if (!base.Find(name)->is_key()) added.push_back(name);
  }
  if (!missing.empty()) {
    return InvalidAt(
        range, StrCat("Cannot create materialized view '", statement.name.name.text, "' without primary key columns ",
                      JoinNames(missing), " from base table '", base.name, "'"));
  }
  if (added.size() > 1) {
    return InvalidAt(range,
                     "Cannot include more than one non-primary key column in materialized view primary key (got " +
                         JoinNames(added) + ")");
  }
  return OkStatus();
}

// Refuses a column that CLUSTERING ORDER BY names twice. As in Cassandra, this check comes before all others.
Status CheckRepeatedOrder(const Create& statement) {
  const std::vector<ClusteringOrder>& orders = statement.clustering_order;
  const QualifiedName& name = statement.name;
  const std::string written_name = (name.keyspace ? name.keyspace->text + "." : "") + name.name.text;
  for (auto order = orders.begin(); order != orders.end(); ++order) {
    const auto same = [&](const ClusteringOrder& other) { return other.column == order->column; };
    if (std::any_of(orders.begin(), order, same)) {
      return InvalidAt(order->column.range, StrCat("Duplicate column '", order->column.text,
                                                   "' in CLUSTERING ORDER BY clause for view '", written_name, "'"));
    }
  }
  return OkStatus();
}

Status CheckOrder(const Create& statement) {
  const std::vector<ClusteringOrder>& orders = statement.clustering_order;
  if (orders.empty()) return OkStatus();
  const auto same = [](const ClusteringOrder& order, const Identifier& name) { return order.column == name; };
  if (std::equal(orders.begin(), orders.end(), statement.clustering_key.begin(), statement.clustering_key.end(),
                 same)) {
    return OkStatus();
  }
  return InvalidAt(orders.front().column.range,
                   "Clustering key columns must exactly match columns in CLUSTERING ORDER BY directive");
}

Status CheckRestricted(const Create& statement, const std::vector<std::string>& key, const ViewWhere& where,
                       const TableSchema& base) {
  std::vector<std::string> free;
  for (const std::string& name : key) {
    const auto index = static_cast<uint32_t>(base.Find(name) - base.columns.data());
    if (std::find(where.restricted.begin(), where.restricted.end(), index) == where.restricted.end())
      free.push_back(name);
  }
  if (free.empty()) return OkStatus();
  std::string hint;
  for (const std::string& name : free) hint += (hint.empty() ? "" : " AND ") + QuoteIdentifier(name) + " IS NOT NULL";
  return InvalidAt(statement.partition_key.front().range,
                   "Primary key columns " + JoinNames(free) + " must be restricted with 'IS NOT NULL' or otherwise",
                   "add to its WHERE: " + hint);
}

// Returns the view's columns. They have the names, ids and types of the base table, and the kinds and positions of the
// view's key.
std::vector<ColumnSchema> ViewColumns(const Create& statement, const std::set<std::string>& selected,
                                      const TableSchema& base) {
  std::vector<ColumnSchema> columns;
  for (const ColumnSchema& of_base : base.columns) {
    ColumnSchema column{.name = of_base.name, .id = of_base.id, .type = of_base.type};
    const auto place_in = [&](const std::vector<Identifier>& names, ColumnKind kind) {
      for (uint32_t i = 0; i < names.size(); ++i) {
        if (names[i].text != column.name) continue;
        column.kind = kind;
        column.position = i;
        return true;
      }
      return false;
    };
    if (place_in(statement.clustering_key, ColumnKind::kClustering)) {
      column.descending = of_base.descending;  // The default; CLUSTERING ORDER BY may change it.
      for (const ClusteringOrder& order : statement.clustering_order) {
        if (order.column.text == column.name) column.descending = order.descending;
      }
    } else if (place_in(statement.partition_key, ColumnKind::kPartitionKey)) {
      column.descending = of_base.descending;
    } else if (!selected.contains(column.name)) {
      continue;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

Result<DdlResult> Apply(const Create& statement, const SchemaPtr& schema, const DdlContext& context) {
  const std::string& name = statement.name.name.text;
  const QualifiedName& base_name = statement.select.table;
  WR_RETURN_IF_ERROR(CheckRepeatedOrder(statement));
  WR_ASSIGN_OR_RETURN(const std::string keyspace, KeyspaceOf(statement.name, context));
  if (base_name.keyspace && base_name.keyspace->text != keyspace) {
    return InvalidAt(base_name.range, "Cannot create a materialized view on a table in a different keyspace");
  }
  WR_RETURN_IF_ERROR(CheckUserKeyspace(keyspace));
  if (schema->FindKeyspace(keyspace) == nullptr) return NoSuchKeyspace(statement.name.range, keyspace);
  const TablePtr base = schema->FindTable(keyspace, base_name.name.text);
  if (base == nullptr || base->view != nullptr)
    return InvalidAt(base_name.range, "Base table '" + base_name.name.text + "' doesn't exist");
  if (const TablePtr there = schema->FindTable(keyspace, name); there != nullptr) {
    if (there->view == nullptr) {
      return InvalidAt(statement.name.range,
                       "Cannot create materialized view '" + name + "' - a table with the same name already exists");
    }
    if (statement.if_not_exists) {
      DdlResult unchanged = Unchanged(schema);
      unchanged.warnings.emplace_back(kExperimental);
      return unchanged;
    }
    return AlreadyExists(statement.name.range, keyspace, name);
  }
  WR_RETURN_IF_ERROR(CheckBase(statement, *base));
  WR_ASSIGN_OR_RETURN(const std::set<std::string> selected, SelectedColumns(statement, *base));
  WR_ASSIGN_OR_RETURN(const std::vector<std::string> key, CheckKey(statement, selected, *base));
  WR_RETURN_IF_ERROR(CheckOrder(statement));
  WR_RETURN_IF_ERROR(CheckKeyAgainstBase(statement, key, *base));
  WR_ASSIGN_OR_RETURN(const ViewWhere where, PlanViewWhere(name, statement.select.where, base, *schema));
  WR_RETURN_IF_ERROR(CheckRestricted(statement, key, where, *base));
  WR_ASSIGN_OR_RETURN(TableProperties properties, ReadTableProperties(statement.properties, {}, /*creating=*/true));
  WR_RETURN_IF_ERROR(CheckViewOptions(statement.properties, properties, ViewChange::kCreate, statement.name.range));
  WR_RETURN_IF_ERROR(CheckTableName(statement.name, keyspace));

  TableSchema view{.keyspace = keyspace, .name = name, .options = std::move(properties.options)};
  view.id = properties.id.value_or(Uuid::TimeBased(context.now_micros));
  view.columns = ViewColumns(statement, selected, *base);
  SortColumns(view);
  view.partition_key_size = static_cast<uint32_t>(statement.partition_key.size());
  view.clustering_size = static_cast<uint32_t>(statement.clustering_key.size());
  view.next_column_id = base->next_column_id;
  view.storage_id = context.new_storage_id();
  view.partition_map = DefaultPartitionMap();
  view.view = std::make_shared<const ViewSchema>(ViewSchema{.base_table = base->name,
                                                            .base_id = base->id,
                                                            .include_all_columns = statement.select.selectors.empty(),
                                                            .where_clause = PrintViewWhere(statement.select.where)});
  TableSchema viewed = *base;
  viewed.views.push_back(name);
  std::sort(viewed.views.begin(), viewed.views.end());
  const SchemaPtr next = WithTable(schema, std::move(viewed), SchemaChange::Kind::kUpdated).schema;
  std::vector<std::string> warnings = WarnOfIdleProperties(statement.properties, FullName(view), context);
  DdlResult result = WithTable(next, std::move(view), SchemaChange::Kind::kCreated);
  result.warnings = std::move(warnings);
  result.warnings.insert(result.warnings.begin(), kExperimental);
  return result;
}

}  // namespace widerow::ddl
