#include "storage/engine/narrow_schema.h"

namespace widerow {

Result<SchemaPtr> NarrowSchema(const SchemaSnapshot& schema, const std::string& keyspace, const std::string& table) {
  const auto found = schema.keyspaces.find(keyspace);
  if (found == schema.keyspaces.end()) {
    return InvalidError("The backup has no keyspace '" + keyspace + "' at this moment");
  }
  auto narrow = std::make_shared<SchemaSnapshot>();
  narrow->version = Uuid::Random();
  if (table.empty()) {
    narrow->keyspaces.emplace(keyspace, found->second);
    return SchemaPtr(std::move(narrow));
  }
  const TablePtr wanted = schema.FindTable(keyspace, table);
  if (wanted == nullptr || wanted->view != nullptr) {
    return InvalidError("The backup has no table '" + keyspace + "." + table + "' at this moment",
                        wanted == nullptr ? "" : "it is a view; restore its table " + wanted->view->base_table);
  }
  auto only = std::make_shared<KeyspaceSchema>(*found->second);
  std::erase_if(only->tables, [&](const auto& entry) {
    const TableSchema& other = *entry.second;
    return other.name != table && (other.view == nullptr || other.view->base_table != table);
  });
  narrow->keyspaces.emplace(keyspace, std::move(only));
  return SchemaPtr(std::move(narrow));
}

}  // namespace widerow
