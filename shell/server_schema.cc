#include "shell/server_schema.h"

#include <algorithm>

#include "base/limits.h"
#include "net/text/json_slice.h"
#include "parser/parse.h"
#include "planner/generated/generated_columns.h"
#include "planner/terms/resolve_type.h"

namespace widerow {
namespace {

Error Unexpected() { return ServerError("The server's schema has an unexpected form"); }

// A JSON object, its members by name. Members that are missing or of another kind are empty.
class JsonObject {
 public:
  explicit JsonObject(std::string_view json) {
    if (KindOf(json) == JsonKind::kObject) members_ = SplitJsonObject(json);
  }
  std::string Text(std::string_view name) const {
    const std::string_view value = Find(name, JsonKind::kString);
    return value.empty() ? "" : DecodeJsonString(value);
  }
  bool IsTrue(std::string_view name) const { return Find(name, JsonKind::kBoolean) == "true"; }
  std::vector<std::string_view> Array(std::string_view name) const {
    const std::string_view value = Find(name, JsonKind::kArray);
    return value.empty() ? std::vector<std::string_view>{} : SplitJsonArray(value);
  }

 private:
  std::string_view Find(std::string_view name, JsonKind kind) const {
    for (const JsonMember& member : members_) {
      if (member.name == name && KindOf(member.value) == kind) return member.value;
    }
    return {};
  }
  std::vector<JsonMember> members_;
};

ColumnKind KindFromName(const std::string& name) {
  if (name == "partition_key") return ColumnKind::kPartitionKey;
  if (name == "clustering") return ColumnKind::kClustering;
  return name == "static" ? ColumnKind::kStatic : ColumnKind::kRegular;
}

// Resolves the type of a column or field. Its user-defined types are in the same keyspace.
Result<TypePtr> ResolveIn(const std::string& keyspace, std::string_view text, const SchemaSnapshot& schema) {
  WR_ASSIGN_OR_RETURN(const TypeName name, ParseTypeName(text));
  return ResolveType(name, schema, keyspace);
}

// Adds the user-defined types. They may use each other but come in alphabetical order, so each round adds the types
// that can be resolved.
Status AddTypes(const JsonObject& json, SchemaSnapshot& schema, KeyspaceSchema& keyspace) {
  std::vector<JsonObject> waiting;
  for (const std::string_view type : json.Array("types")) waiting.emplace_back(type);
  while (!waiting.empty()) {
    std::vector<JsonObject> still_waiting;
    for (const JsonObject& type : waiting) {
      auto udt = std::make_shared<Type>();
      udt->kind = TypeKind::kUdt;
      udt->keyspace = keyspace.name;
      udt->name = type.Text("name");
      bool resolved = true;
      for (const std::string_view field_json : type.Array("fields")) {
        const JsonObject field(field_json);
        auto field_type = ResolveIn(keyspace.name, field.Text("type"), schema);
        if (!field_type.ok()) {
          resolved = false;
          break;
        }
        udt->field_names.push_back(field.Text("name"));
        udt->arguments.push_back(std::move(field_type).value());
      }
      if (!resolved) {
        still_waiting.push_back(type);
        continue;
      }
      keyspace.types[udt->name] = udt;
      schema.keyspaces[keyspace.name] = std::make_shared<KeyspaceSchema>(keyspace);
    }
    if (still_waiting.size() == waiting.size()) return Unexpected();
    waiting = std::move(still_waiting);
  }
  return OkStatus();
}

Result<TablePtr> ParseTable(const JsonObject& json, const SchemaSnapshot& schema, const std::string& keyspace) {
  auto table = std::make_shared<TableSchema>();
  table->keyspace = keyspace;
  table->name = json.Text("name");
  table->tablegroup = json.Text("tablegroup");
  if (const std::string base = json.Text("view_of"); !base.empty()) {
    auto view = std::make_shared<ViewSchema>();
    view->base_table = base;
    table->view = std::move(view);
  }
  for (const std::string_view column_json : json.Array("columns")) {
    const JsonObject column_object(column_json);
    ColumnSchema column{.name = column_object.Text("name"), .kind = KindFromName(column_object.Text("kind"))};
    WR_ASSIGN_OR_RETURN(column.type, ResolveIn(keyspace, column_object.Text("type"), schema));
    column.descending = column_object.Text("order") == "DESC";
    column.generated_as = column_object.Text("generated_as");
    column.not_null = column_object.IsTrue("not_null");
    if (column.kind == ColumnKind::kPartitionKey) column.position = table->partition_key_size++;
    if (column.kind == ColumnKind::kClustering) column.position = table->clustering_size++;
    table->columns.push_back(std::move(column));
  }
  return TablePtr(std::move(table));
}

}  // namespace

Result<TypePtr> ResolveServerType(std::string_view text, const SchemaSnapshot& schema, const std::string& keyspace) {
  WR_ASSIGN_OR_RETURN(const TypeName name, ParseTypeName(text));
  auto here = ResolveType(name, schema, keyspace);
  if (here.ok()) return here;
  for (const auto& [other, contents] : schema.keyspaces) {
    auto there = ResolveType(name, schema, other);
    if (there.ok()) return there;
  }
  return here;
}

Result<SchemaPtr> ParseServerSchema(std::string_view json) {
  auto schema = std::make_shared<SchemaSnapshot>();
  if (!CheckJson(json, limits::kNestingMax).ok()) return Unexpected();
  for (const std::string_view keyspace_json : JsonObject(json).Array("keyspaces")) {
    const JsonObject object(keyspace_json);
    KeyspaceSchema keyspace{.name = object.Text("name")};
    schema->keyspaces[keyspace.name] = std::make_shared<KeyspaceSchema>(keyspace);
    WR_RETURN_IF_ERROR(AddTypes(object, *schema, keyspace));
    for (const std::string_view table_json : object.Array("tables")) {
      WR_ASSIGN_OR_RETURN(const TablePtr table, ParseTable(JsonObject(table_json), *schema, keyspace.name));
      keyspace.tables[table->name] = table;
    }
    schema->keyspaces[keyspace.name] = std::make_shared<KeyspaceSchema>(keyspace);
  }
  return WithCompiledColumns(schema);
}

}  // namespace widerow
