#include "types/schema.h"

#include <algorithm>
#include <utility>

namespace widerow {

int32_t* FindThroughput(TableThroughput& throughput, std::string_view option) {
  if (option == "read_limit") return &throughput.read_limit;
  if (option == "write_limit") return &throughput.write_limit;
  if (option == "read_reserved") return &throughput.read_reserved;
  if (option == "write_reserved") return &throughput.write_reserved;
  return nullptr;
}

bool TableSchema::has_statics() const {
  return std::any_of(columns.begin(), columns.end(),
                     [](const ColumnSchema& column) { return column.kind == ColumnKind::kStatic; });
}

const ColumnSchema* TableSchema::Find(std::string_view column_name) const {
  // A statement may name thousands of columns, so a wide table is searched by bisection. While a table is being made,
  // its columns may not be sorted yet. Then the loop below finds the column.
  constexpr size_t kFew = 16;
  const size_t keys = partition_key_size + clustering_size;
  if (columns.size() > keys + kFew) {
    const auto first = columns.begin() + static_cast<ptrdiff_t>(keys);
    const auto regular = std::partition_point(
        first, columns.end(), [](const ColumnSchema& column) { return column.kind == ColumnKind::kStatic; });
    for (const auto& [begin, end] : {std::pair(first, regular), std::pair(regular, columns.end())}) {
      const auto found =
          std::lower_bound(begin, end, column_name,
                           [](const ColumnSchema& column, std::string_view name) { return column.name < name; });
      if (found != end && found->name == column_name) return &*found;
    }
  }
  for (const ColumnSchema& column : columns) {
    if (column.name == column_name) return &column;
  }
  return nullptr;
}

const ColumnSchema* TableSchema::FindId(ColumnId column) const {
  // CREATE TABLE gives the ids 0, 1, 2, … in the order of the columns, so the index of most columns is their id.
  if (column < columns.size() && columns[column].id == column) return &columns[column];
  for (const ColumnSchema& candidate : columns) {
    if (candidate.id == column) return &candidate;
  }
  return nullptr;
}

const DroppedColumn* TableSchema::FindDropped(std::string_view column_name) const {
  for (const DroppedColumn& dropped : dropped_columns) {
    if (dropped.name == column_name) return &dropped;
  }
  return nullptr;
}

bool TableSchema::Shows(ColumnId column, int64_t timestamp) const {
  for (const DroppedColumn& dropped : dropped_columns) {
    if (dropped.id == column && timestamp <= dropped.gone_micros) return false;
  }
  return FindId(column) != nullptr;
}

const IndexSchema* TableSchema::FindIndex(std::string_view index_name) const {
  for (const IndexSchema& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

bool ColumnsCameBack(const TableSchema& before, const TableSchema& after) {
  return std::any_of(before.dropped_columns.begin(), before.dropped_columns.end(), [&](const DroppedColumn& dropped) {
    return before.FindId(dropped.id) == nullptr && after.FindId(dropped.id) != nullptr;
  });
}

const KeyspaceSchema* SchemaSnapshot::FindKeyspace(std::string_view name) const {
  const auto found = keyspaces.find(name);
  return found == keyspaces.end() ? nullptr : found->second.get();
}

TablePtr SchemaSnapshot::FindTable(std::string_view keyspace, std::string_view table) const {
  const KeyspaceSchema* const holder = FindKeyspace(keyspace);
  if (holder == nullptr) return nullptr;
  const auto found = holder->tables.find(table);
  return found == holder->tables.end() ? nullptr : found->second;
}

TablePtr SchemaSnapshot::FindIndexedTable(std::string_view keyspace, std::string_view index) const {
  const KeyspaceSchema* const holder = FindKeyspace(keyspace);
  if (holder == nullptr) return nullptr;
  for (const auto& [name, table] : holder->tables) {
    if (table->FindIndex(index) != nullptr) return table;
  }
  return nullptr;
}

}  // namespace widerow
