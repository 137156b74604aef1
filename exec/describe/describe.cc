#include "exec/describe/describe.h"

#include <strings.h>

#include <algorithm>

#include "exec/rows/paging.h"
#include "exec/rows/rows_writer.h"
#include "planner/ddl/describe/describe.h"
#include "planner/ddl/describe/describe_view.h"
#include "planner/system_keyspaces.h"
#include "types/scalar_text.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

using Kind = DescribeStatement::Kind;

TypePtr OwnershipType() { return MapType(ScalarType(TypeKind::kText), ListType(ScalarType(TypeKind::kText))); }

ResultColumns TextColumns(std::initializer_list<const char*> names) {
  ResultColumns columns;
  for (const char* name : names) columns.push_back({"system", "describe", name, ScalarType(TypeKind::kText)});
  return columns;
}

// Sorts by name, ignoring case, as Cassandra does.
template <typename Map>
std::vector<typename Map::mapped_type> ByName(const Map& map) {
  std::vector<typename Map::mapped_type> values;
  for (const auto& [name, value] : map) values.push_back(value);
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return strcasecmp(a->name.c_str(), b->name.c_str()) < 0; });
  return values;
}

// Sorts types after the types they use, so that the output can be executed.
std::vector<TypePtr> TypesInOrder(const KeyspaceSchema& keyspace) {
  std::vector<TypePtr> ordered;
  std::vector<std::string> done;
  const auto visit = [&](const auto& self, const Type& type) -> void {
    if (type.kind == TypeKind::kUdt) {
      if (std::find(done.begin(), done.end(), type.name) != done.end()) return;
      done.push_back(type.name);
    }
    for (const TypePtr& argument : type.arguments) self(self, *argument);
    if (type.kind != TypeKind::kUdt) return;
    const auto found = keyspace.types.find(type.name);
    if (found != keyspace.types.end()) ordered.push_back(found->second);
  };
  for (const auto& [name, type] : keyspace.types) visit(visit, *type);
  return ordered;
}

// One described element. Only forms of DESCRIBE with a create_statement column show `create`.
struct Element {
  std::string keyspace, type, name, create;
};
using Elements = std::vector<Element>;

class Describer {
 public:
  Describer(const DescribePlan& plan, const SchemaSnapshot& schema)
      : plan_(plan), statement_(plan.statement), schema_(schema) {}

  // Handles every form except DESCRIBE CLUSTER.
  Result<Elements> Run() {
    switch (statement_.kind) {
      case Kind::kCluster: break;
      case Kind::kSchema:
      case Kind::kFullSchema:
      case Kind::kKeyspaces: AddKeyspaces(); break;
      case Kind::kKeyspace:
      case Kind::kOnlyKeyspace: WR_RETURN_IF_ERROR(Keyspace()); break;
      case Kind::kTables:
      case Kind::kTypes:
      case Kind::kFunctions:
      case Kind::kAggregates:
      case Kind::kMaterializedViews: AddNames(); break;
      case Kind::kTable: WR_RETURN_IF_ERROR(Table()); break;
      case Kind::kType: WR_RETURN_IF_ERROR(UserType()); break;
      case Kind::kFunction: return Absent("User defined function");
      case Kind::kAggregate: return Absent("User defined aggregate");
      case Kind::kIndex: WR_RETURN_IF_ERROR(Index()); break;
      case Kind::kMaterializedView: WR_RETURN_IF_ERROR(View()); break;
      case Kind::kName: WR_RETURN_IF_ERROR(Anything()); break;
    }
    return std::move(elements_);
  }

 private:
  void Add(const std::string& keyspace, const char* type, const std::string& name, std::string create = {}) {
    elements_.push_back({QuoteIdentifier(keyspace), type, QuoteIdentifier(name), std::move(create)});
  }
  // Adds the table with its indexes and views.
  void AddTable(const TableSchema& table) {
    Add(table.keyspace, "table", table.name, DescribeTable(table, statement_.with_internals));
    for (const IndexSchema& index : table.indexes) AddIndex(table, index);
    std::map<std::string, TablePtr> views;
    for (const std::string& view : table.views) views.emplace(view, schema_.FindTable(table.keyspace, view));
    for (const TablePtr& view : ByName(views)) AddView(*view, table);
  }
  void AddIndex(const TableSchema& table, const IndexSchema& index) {
    Add(table.keyspace, "index", index.name, DescribeIndex(table, index));
  }
  void AddView(const TableSchema& view) { AddView(view, *schema_.FindTable(view.keyspace, view.view->base_table)); }
  void AddView(const TableSchema& view, const TableSchema& base) {
    Add(view.keyspace, "materialized_view", view.name, DescribeView(view, base, statement_.with_internals));
  }
  void AddType(const KeyspaceSchema& keyspace, const Type& type) {
    Add(keyspace.name, "type", type.name, DescribeType(type));
  }
  void AddKeyspace(const KeyspaceSchema& keyspace, bool contents) {
    Add(keyspace.name, "keyspace", keyspace.name, DescribeKeyspace(keyspace));
    if (!contents) return;
    for (const TypePtr& type : TypesInOrder(keyspace)) AddType(keyspace, *type);
    for (const std::string& group : keyspace.tablegroups) {
      // A tablegroup belongs to the current keyspace, so USE comes first.
      Add(keyspace.name, "tablegroup", group,
          "USE " + QuoteIdentifier(keyspace.name) + ";\nCREATE TABLEGROUP " + QuoteIdentifier(group) + ";");
    }
    for (const TablePtr& table : ByName(keyspace.tables)) {
      if (table->view == nullptr) AddTable(*table);
    }
  }

  void AddKeyspaces() {
    for (const KeyspacePtr& keyspace : ByName(schema_.keyspaces)) {
      if (statement_.kind == Kind::kSchema && IsSystemKeyspace(keyspace->name)) continue;
      AddKeyspace(*keyspace, statement_.kind != Kind::kKeyspaces);
    }
  }

  void AddNames() {
    for (const KeyspacePtr& keyspace : ByName(schema_.keyspaces)) {
      if (!plan_.current_keyspace.empty() && keyspace->name != plan_.current_keyspace) continue;
      if (statement_.kind == Kind::kTables || statement_.kind == Kind::kMaterializedViews) {
        const bool views = statement_.kind == Kind::kMaterializedViews;
        for (const TablePtr& table : ByName(keyspace->tables)) {
          if ((table->view != nullptr) == views)
            Add(keyspace->name, views ? "materialized_view" : "table", table->name);
        }
      } else if (statement_.kind == Kind::kTypes) {
        for (const TypePtr& type : ByName(keyspace->types)) Add(keyspace->name, "type", type->name);
      }
    }
  }

  Result<const KeyspaceSchema*> NamedKeyspace(const std::optional<Identifier>& name) const {
    const std::string& text = name ? name->text : plan_.current_keyspace;
    if (text.empty()) {
      return InvalidError("No keyspace specified and no current keyspace",
                          "USE a keyspace, or name it: DESCRIBE TABLE ks.name");
    }
    const KeyspaceSchema* keyspace = schema_.FindKeyspace(text);
    if (keyspace == nullptr) return InvalidError("'" + text + "' not found in keyspaces");
    return keyspace;
  }

  Status Keyspace() {
    const std::optional<Identifier> name = statement_.name ? std::optional(statement_.name->name) : std::nullopt;
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(name));
    AddKeyspace(*keyspace, statement_.kind == Kind::kKeyspace);
    return OkStatus();
  }

  Status Table() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const std::string& name = statement_.name->name.text;
    const auto table = keyspace->tables.find(name);
    if (table == keyspace->tables.end() || table->second->view != nullptr) {
      return InvalidError(
          "Table '" + name + "' not found in keyspace '" + keyspace->name + "'",
          table == keyspace->tables.end() ? "" : "it is a view: DESCRIBE MATERIALIZED VIEW " + QuoteIdentifier(name));
    }
    AddTable(*table->second);
    return OkStatus();
  }

  Status Index() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const std::string& name = statement_.name->name.text;
    const TablePtr table = schema_.FindIndexedTable(keyspace->name, name);
    if (table == nullptr) return Absent("Table for existing index");
    AddIndex(*table, *table->FindIndex(name));
    return OkStatus();
  }

  Status View() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const std::string& name = statement_.name->name.text;
    const auto view = keyspace->tables.find(name);
    if (view == keyspace->tables.end() || view->second->view == nullptr) {
      return InvalidError(
          "Materialized view '" + name + "' not found in '" + keyspace->name + "'",
          view == keyspace->tables.end() ? "" : "it is a table: DESCRIBE TABLE " + QuoteIdentifier(name));
    }
    AddView(*view->second);
    return OkStatus();
  }

  Status UserType() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const std::string& name = statement_.name->name.text;
    const auto type = keyspace->types.find(name);
    if (type == keyspace->types.end()) {
      return InvalidError("User defined type '" + name + "' not found in '" + keyspace->name + "'");
    }
    AddType(*keyspace, *type->second);
    return OkStatus();
  }

  // Returns the error for an element that does not exist. `what` is the kind of the element.
  Error Absent(const std::string& what) const {
    auto keyspace = NamedKeyspace(statement_.name->keyspace);
    if (!keyspace.ok()) return std::move(keyspace).error();
    return InvalidError(what + " '" + statement_.name->name.text + "' not found in '" + (*keyspace)->name + "'");
  }

  // Describes the keyspace with this name or, if there is none, the table, view or index with this name in the current
  // keyspace. If the name has a keyspace before a dot, describes the table, view or index in that keyspace.
  Status Anything() {
    const std::string& name = statement_.name->name.text;
    if (!statement_.name->keyspace) {
      if (const KeyspaceSchema* keyspace = schema_.FindKeyspace(name)) {
        AddKeyspace(*keyspace, true);
        return OkStatus();
      }
      if (plan_.current_keyspace.empty()) return InvalidError("'" + name + "' not found in keyspaces");
    }
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const auto table = keyspace->tables.find(name);
    if (table == keyspace->tables.end()) {
      const TablePtr indexed = schema_.FindIndexedTable(keyspace->name, name);
      if (indexed == nullptr) return InvalidError("'" + name + "' not found in keyspace '" + keyspace->name + "'");
      AddIndex(*indexed, *indexed->FindIndex(name));
      return OkStatus();
    }
    table->second->view == nullptr ? AddTable(*table->second) : AddView(*table->second);
    return OkStatus();
  }

  const DescribePlan& plan_;
  const DescribeStatement& statement_;
  const SchemaSnapshot& schema_;
  Elements elements_;
};

// Returns the token of the only node, with its address.
Bytes RangeOwnership(const ConnectionFacts* connection) {
  const std::string endpoint =
      connection == nullptr ? "/127.0.0.1:9042"
                            : "/" + InetText(connection->local_address) + ":" + std::to_string(connection->local_port);
  const TypePtr type = OwnershipType();
  const Bytes endpoints = JoinCollection(*type->arguments[1], {endpoint});
  return JoinCollection(*type, {kRingToken, endpoints});
}

RowsPage DescribeCluster(const DescribeStatement& statement, const ConnectionFacts* connection) {
  RowsWriter rows;
  rows.Append(kClusterName);
  rows.Append("Murmur3Partitioner");
  rows.Append("SimpleSnitch");
  if (statement.with_internals) rows.Append(RangeOwnership(connection));
  rows.EndRow();
  return std::move(rows).Finish(DescribeColumns(statement));
}

// Returns the number of the page's first element. That number is valid for one schema version only, so the paging state
// contains the version, in the place of the partition key.
Result<size_t> FirstOfPage(const DescribeRequest& request) {
  if (request.paging_state.empty()) return size_t{0};
  WR_ASSIGN_OR_RETURN(const PagingState state, DecodePagingState(request.paging_state, request.scope));
  if (state.at.partition_key != request.schema.version.view()) {
    return InvalidError(
        "The schema has changed since the previous page of the DESCRIBE statement result. Please retry the DESCRIBE "
        "statement.");
  }
  if (state.at.clustering.size() != sizeof(uint32_t)) return ForeignPagingState();
  return ReadBigEndian<uint32_t>(state.at.clustering.data());
}

Bytes StateOfNextPage(size_t next, const DescribeRequest& request) {
  PagingState state;
  state.at.partition_key = request.schema.version.view();
  AppendBigEndian(state.at.clustering, static_cast<uint32_t>(next));
  return EncodePagingState(state, request.scope);
}

}  // namespace

ResultColumnsPtr DescribeColumns(const DescribeStatement& statement) {
  ResultColumns columns;
  switch (statement.kind) {
    case Kind::kCluster:
      columns = TextColumns({"cluster", "partitioner", "snitch"});
      if (statement.with_internals) columns.push_back({"system", "describe", "range_ownership", OwnershipType()});
      break;
    case Kind::kKeyspaces:
    case Kind::kTables:
    case Kind::kTypes:
    case Kind::kFunctions:
    case Kind::kAggregates:
    case Kind::kMaterializedViews: columns = TextColumns({"keyspace_name", "type", "name"}); break;
    case Kind::kSchema:
    case Kind::kFullSchema:
    case Kind::kKeyspace:
    case Kind::kOnlyKeyspace:
    case Kind::kTable:
    case Kind::kType:
    case Kind::kFunction:
    case Kind::kAggregate:
    case Kind::kIndex:
    case Kind::kMaterializedView:
    case Kind::kName: columns = TextColumns({"keyspace_name", "type", "name", "create_statement"}); break;
  }
  return std::make_shared<const ResultColumns>(std::move(columns));
}

Result<RowsPage> RunDescribe(const DescribePlan& plan, const DescribeRequest& request) {
  WR_ASSIGN_OR_RETURN(const size_t first, FirstOfPage(request));
  if (plan.statement.kind == Kind::kCluster) return DescribeCluster(plan.statement, request.connection);
  WR_ASSIGN_OR_RETURN(const Elements elements, Describer(plan, request.schema).Run());
  size_t end = elements.size();
  if (request.page_rows != 0) end = std::min<size_t>(end, first + request.page_rows);

  const ResultColumnsPtr columns = DescribeColumns(plan.statement);
  RowsWriter rows;
  for (size_t i = first; i < end; ++i) {
    rows.Append(ByteView(elements[i].keyspace));
    rows.Append(ByteView(elements[i].type));
    rows.Append(ByteView(elements[i].name));
    if (columns->size() > 3) rows.Append(ByteView(elements[i].create));
    rows.EndRow();
  }
  RowsPage page = std::move(rows).Finish(columns);
  if (end < elements.size()) page.paging_state = StateOfNextPage(end, request);
  return page;
}

ResultColumnsPtr ExplainColumns() {
  static const ResultColumnsPtr columns = [] {
    auto made = std::make_shared<ResultColumns>();
    made->push_back({"system", "explain", "plan", ScalarType(TypeKind::kText)});
    return made;
  }();
  return columns;
}

RowsPage RunExplain(const ExplainPlan& plan) {
  RowsWriter rows;
  for (const std::string& line : Explain(*plan.plan)) {
    rows.Append(ByteView(line));
    rows.EndRow();
  }
  return std::move(rows).Finish(ExplainColumns());
}

}  // namespace widerow
