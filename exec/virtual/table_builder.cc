#include "exec/virtual/table_builder.h"

#include "base/check.h"
#include "types/token.h"

namespace widerow {

VirtualTableBuilder::VirtualTableBuilder(std::string keyspace, std::string name, std::string comment) {
  // The id follows from the name, so that it is the same in every process.
  Bytes id;
  AppendBigEndian(id, Murmur3Token(keyspace));
  AppendBigEndian(id, Murmur3Token(name));
  table_.id = Uuid::FromBytes(id);
  table_.keyspace = std::move(keyspace);
  table_.name = std::move(name);
  table_.storage_id = kVirtualStorageId;
  table_.options.comment = std::move(comment);
  table_.partition_map.push_back({});
}

void VirtualTableBuilder::Add(std::string name, TypePtr type, ColumnKind kind, uint32_t position) {
  table_.columns.push_back({.name = std::move(name), .id = table_.next_column_id++, .kind = kind, .position = position,
                            .type = std::move(type)});
}

VirtualTableBuilder& VirtualTableBuilder::PartitionKey(std::string name, TypeKind type) {
  Add(std::move(name), ScalarType(type), ColumnKind::kPartitionKey, table_.partition_key_size++);
  return *this;
}

VirtualTableBuilder& VirtualTableBuilder::Clustering(std::string name, TypeKind type) {
  Add(std::move(name), ScalarType(type), ColumnKind::kClustering, table_.clustering_size++);
  return *this;
}

VirtualTableBuilder& VirtualTableBuilder::Regular(std::string name, TypePtr type) {
  WR_CHECK(table_.columns.back().kind != ColumnKind::kRegular || table_.columns.back().name < name);
  Add(std::move(name), std::move(type), ColumnKind::kRegular, 0);
  return *this;
}

TablePtr VirtualTableBuilder::Build() { return std::make_shared<const TableSchema>(std::move(table_)); }

}  // namespace widerow
