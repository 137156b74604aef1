#include "exec/describe.h"

#include "exec/rows_writer.h"

namespace widerow {

namespace {

using Kind = DescribeStatement::Kind;

ResultColumnsPtr TextColumns(std::initializer_list<const char*> names) {
  auto columns = std::make_shared<ResultColumns>();
  for (const char* name : names) columns->push_back({"system", "describe", name, ScalarType(TypeKind::kText)});
  return columns;
}

// Rows of (keyspace_name, type, name[, create_statement]).
class Listing {
 public:
  explicit Listing(const DescribeStatement& statement) : columns_(DescribeColumns(statement)) {}
  void Add(std::string_view keyspace, std::string_view type, std::string_view name, const std::string& create) {
    rows_.Append(keyspace);
    rows_.Append(type);
    rows_.Append(name);
    if (columns_->size() > 3) rows_.Append(ByteView(create));
    rows_.EndRow();
  }
  void AddTable(const TableSchema& table, bool internals) {
    Add(table.keyspace, "table", table.name, DescribeTable(table, internals));
  }
  void AddType(const KeyspaceSchema& keyspace, const Type& type) {
    Add(keyspace.name, "type", type.name, DescribeType(type));
  }
  void AddKeyspace(const KeyspaceSchema& keyspace, bool contents, bool internals) {
    Add(keyspace.name, "keyspace", keyspace.name, DescribeKeyspace(keyspace));
    if (!contents) return;
    for (const TypePtr& type : TypesInOrder(keyspace)) AddType(keyspace, *type);
    for (const auto& [name, table] : keyspace.tables) AddTable(*table, internals);
  }
  RowsPage Take() { return std::move(rows_).Finish(columns_); }

 private:
  // A type after those it is made of, so that the output can be run as it stands.
  static std::vector<TypePtr> TypesInOrder(const KeyspaceSchema& keyspace) {
    std::vector<TypePtr> ordered;
    std::vector<std::string> done;
    const auto visit = [&](const auto& self, const Type& type) -> void {
      if (type.kind == TypeKind::kUdt) {
        for (const std::string& name : done) {
          if (name == type.name) return;
        }
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

  const ResultColumnsPtr columns_;
  RowsWriter rows_;
};

Error NotFound(const std::string& name, const std::string& keyspace) {
  return InvalidError("'" + name + "' not found in keyspace '" + keyspace + "'");
}

class Describer {
 public:
  Describer(const DescribePlan& plan, const SchemaSnapshot& schema)
      : plan_(plan), statement_(plan.statement), schema_(schema), listing_(plan.statement) {}

  Result<RowsPage> Run() {
    switch (statement_.kind) {
      case Kind::kCluster: return Cluster();
      case Kind::kSchema:
      case Kind::kFullSchema:
      case Kind::kKeyspaces:
        for (const auto& [name, keyspace] : schema_.keyspaces) {
          listing_.AddKeyspace(*keyspace, statement_.kind != Kind::kKeyspaces, statement_.with_internals);
        }
        return listing_.Take();
      case Kind::kKeyspace:
      case Kind::kOnlyKeyspace: return Keyspace();
      case Kind::kTables:
      case Kind::kTypes:
      case Kind::kFunctions:
      case Kind::kAggregates:
      case Kind::kMaterializedViews: return ListNames();
      case Kind::kTable: return Table();
      case Kind::kType: return UserType();
      case Kind::kFunction: return Absent("User defined function");
      case Kind::kAggregate: return Absent("User defined aggregate");
      case Kind::kIndex: return Absent("Table for existing index");
      case Kind::kMaterializedView: return Absent("Materialized view");
      case Kind::kName: return Anything();
    }
    return listing_.Take();
  }

 private:
  Result<RowsPage> Cluster() {
    RowsWriter rows;
    rows.Append("Widerow");
    rows.Append("org.apache.cassandra.dht.Murmur3Partitioner");
    rows.Append("org.apache.cassandra.locator.SimpleSnitch");
    rows.EndRow();
    return std::move(rows).Finish(DescribeColumns(statement_));
  }

  Result<const KeyspaceSchema*> NamedKeyspace(const std::optional<Identifier>& name) const {
    const std::string& text = name ? name->text : plan_.current_keyspace;
    if (text.empty()) {
      return InvalidError("No keyspace specified and no current keyspace", "USE a keyspace, or name it: DESCRIBE TABLE ks.name");
    }
    const KeyspaceSchema* keyspace = schema_.FindKeyspace(text);
    if (keyspace == nullptr) return InvalidError("'" + text + "' not found in keyspaces");
    return keyspace;
  }

  Result<RowsPage> Keyspace() {
    const std::optional<Identifier> name = statement_.name ? std::optional(statement_.name->name) : std::nullopt;
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(name));
    listing_.AddKeyspace(*keyspace, statement_.kind == Kind::kKeyspace, statement_.with_internals);
    return listing_.Take();
  }

  Result<RowsPage> ListNames() {
    for (const auto& [name, keyspace] : schema_.keyspaces) {
      if (!plan_.current_keyspace.empty() && name != plan_.current_keyspace) continue;
      if (statement_.kind == Kind::kTables) {
        for (const auto& [table_name, table] : keyspace->tables) listing_.Add(name, "table", table_name, {});
      } else if (statement_.kind == Kind::kTypes) {
        for (const auto& [type_name, type] : keyspace->types) listing_.Add(name, "type", type_name, {});
      }
    }
    return listing_.Take();
  }

  Result<RowsPage> Table() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const auto table = keyspace->tables.find(statement_.name->name.text);
    if (table == keyspace->tables.end()) return NotFound(statement_.name->name.text, keyspace->name);
    listing_.AddTable(*table->second, statement_.with_internals);
    return listing_.Take();
  }

  Result<RowsPage> UserType() {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    const auto type = keyspace->types.find(statement_.name->name.text);
    if (type == keyspace->types.end()) {
      return InvalidError("User defined type '" + statement_.name->name.text + "' not found in '" + keyspace->name + "'");
    }
    listing_.AddType(*keyspace, *type->second);
    return listing_.Take();
  }

  // Things that cannot exist here.
  Result<RowsPage> Absent(const std::string& what) {
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    return InvalidError(what + " '" + statement_.name->name.text + "' not found in '" + keyspace->name + "'");
  }

  // DESCRIBE name: a keyspace, else a table or type of the keyspace at hand.
  Result<RowsPage> Anything() {
    const std::string& name = statement_.name->name.text;
    if (!statement_.name->keyspace) {
      if (const KeyspaceSchema* keyspace = schema_.FindKeyspace(name)) {
        listing_.AddKeyspace(*keyspace, true, statement_.with_internals);
        return listing_.Take();
      }
    }
    WR_ASSIGN_OR_RETURN(const KeyspaceSchema* keyspace, NamedKeyspace(statement_.name->keyspace));
    if (const auto table = keyspace->tables.find(name); table != keyspace->tables.end()) {
      listing_.AddTable(*table->second, statement_.with_internals);
      return listing_.Take();
    }
    if (const auto type = keyspace->types.find(name); type != keyspace->types.end()) {
      listing_.AddType(*keyspace, *type->second);
      return listing_.Take();
    }
    return NotFound(name, keyspace->name);
  }

  const DescribePlan& plan_;
  const DescribeStatement& statement_;
  const SchemaSnapshot& schema_;
  Listing listing_;
};

}  // namespace

ResultColumnsPtr DescribeColumns(const DescribeStatement& statement) {
  switch (statement.kind) {
    case Kind::kCluster: return TextColumns({"cluster", "partitioner", "snitch"});
    case Kind::kKeyspaces:
    case Kind::kTables:
    case Kind::kTypes:
    case Kind::kFunctions:
    case Kind::kAggregates:
    case Kind::kMaterializedViews: return TextColumns({"keyspace_name", "type", "name"});
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
    case Kind::kName: return TextColumns({"keyspace_name", "type", "name", "create_statement"});
  }
  return TextColumns({});
}

Result<RowsPage> RunDescribe(const DescribePlan& plan, const SchemaSnapshot& schema) {
  return Describer(plan, schema).Run();
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
