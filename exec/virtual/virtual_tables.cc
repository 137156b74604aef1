#include "exec/virtual/virtual_tables.h"

#include <algorithm>

#include "base/check.h"
#include "exec/virtual/memory_view.h"
#include "exec/virtual/partitions_table.h"
#include "exec/virtual/trace_tables.h"
#include "types/order_codec.h"
#include "types/token.h"
#include "types/value_bytes.h"

namespace widerow {

namespace {

// As storage keeps a value: one cell, or one an element of a collection that is not frozen (sets and maps only).
void AppendCells(const ColumnSchema& column, const Bytes& value, std::vector<Cell>& cells) {
  if (!column.type->is_multi_cell()) {
    cells.push_back({.column = column.id, .path = {}, .timestamp = 0, .value = value});
    return;
  }
  WR_CHECK(column.type->kind == TypeKind::kSet || column.type->kind == TypeKind::kMap);
  const std::vector<ValueView> parts = SplitCollection(*column.type, value).value();
  const size_t step = column.type->kind == TypeKind::kMap ? 2 : 1;
  for (size_t i = 0; i + step <= parts.size(); i += step) {
    cells.push_back({.column = column.id, .path = Bytes(*parts[i]), .timestamp = 0,
                     .value = step == 2 ? Bytes(*parts[i + 1]) : Bytes()});
  }
}

}  // namespace

VirtualTables::VirtualTables() {
  entries_.push_back({PartitionsTable(), PartitionsRows});
  entries_.push_back({TraceSessionsTable(), TraceSessionsRows});
  entries_.push_back({TraceEventsTable(), TraceEventsRows});

  std::map<std::string, KeyspaceSchema> keyspaces;
  for (const Entry& entry : entries_) {
    KeyspaceSchema& keyspace = keyspaces[entry.table->keyspace];
    keyspace.name = entry.table->keyspace;
    keyspace.replication = {{"class", "org.apache.cassandra.locator.LocalStrategy"}};
    keyspace.tables.emplace(entry.table->name, entry.table);
  }
  for (auto& [name, keyspace] : keyspaces) keyspaces_.push_back(std::make_shared<const KeyspaceSchema>(std::move(keyspace)));
}

SchemaPtr VirtualTables::AddTo(const SchemaPtr& stored) const {
  auto schema = std::make_shared<SchemaSnapshot>(*stored);
  for (const KeyspacePtr& keyspace : keyspaces_) schema->keyspaces[keyspace->name] = keyspace;
  return schema;
}

SchemaPtr VirtualTables::RemoveFrom(const SchemaPtr& schema) const {
  auto stored = std::make_shared<SchemaSnapshot>(*schema);
  for (const KeyspacePtr& keyspace : keyspaces_) stored->keyspaces.erase(keyspace->name);
  return stored;
}

std::unique_ptr<ReadView> VirtualTables::OpenView(const TableSchema& table, const VirtualContext& context) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.table.get() == &table; });
  WR_CHECK(entry != entries_.end());
  std::vector<MemoryRow> rows;
  for (VirtualRow& values : entry->rows(context)) {
    MemoryRow row;
    std::vector<ByteView> key;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const ColumnSchema& column = table.columns[i];
      if (column.kind == ColumnKind::kPartitionKey) {
        key.emplace_back(*values[i]);
      } else if (column.kind == ColumnKind::kClustering) {
        AppendComparable(*column.type, column.descending, ByteView(*values[i]), row.clustering);
      } else if (values[i]) {
        AppendCells(column, *values[i], row.cells);
      }
    }
    row.partition_key = SerializePartitionKey(key);
    row.token = Murmur3Token(row.partition_key);
    rows.push_back(std::move(row));
  }
  return MakeMemoryView(std::move(rows));
}

}  // namespace widerow
