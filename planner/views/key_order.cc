#include "planner/views/key_order.h"

namespace widerow {
namespace {

// Returns the view with the right order of its partition key columns; null if it already has this order.
TablePtr Ordered(const TableSchema& view, const TableSchema& base) {
  TableSchema ordered = view;
  bool changed = false;
  for (ColumnSchema& column : ordered.columns) {
    const ColumnSchema* const of_base = base.FindId(column.id);
    if (column.kind != ColumnKind::kPartitionKey || of_base == nullptr || of_base->descending == column.descending)
      continue;
    column.descending = of_base->descending;
    changed = true;
  }
  return changed ? std::make_shared<const TableSchema>(std::move(ordered)) : nullptr;
}

}  // namespace

SchemaPtr WithOrderedViewKeys(const SchemaPtr& loaded) {
  auto next = std::make_shared<SchemaSnapshot>(*loaded);
  bool changed = false;
  for (auto& [keyspace_name, keyspace] : next->keyspaces) {
    for (const auto& [name, table] : loaded->keyspaces.at(keyspace_name)->tables) {
      const TablePtr base =
          table->view == nullptr ? nullptr : loaded->FindTable(keyspace_name, table->view->base_table);
      const TablePtr ordered = base == nullptr ? nullptr : Ordered(*table, *base);
      if (ordered == nullptr) continue;
      KeyspaceSchema copy = *keyspace;
      copy.tables[name] = ordered;
      keyspace = std::make_shared<const KeyspaceSchema>(std::move(copy));
      changed = true;
    }
  }
  return changed ? next : loaded;
}

}  // namespace widerow
