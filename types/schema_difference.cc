#include "types/schema_difference.h"

namespace widerow {
namespace {

// Walks two maps side by side, in the order of keys. Calls `visit` for each key whose values differ. Null stands for
// the value of a map that does not have the key.
template <typename Map, typename Visit>
void WalkBoth(const Map& before, const Map& after, Visit visit) {
  static const typename Map::mapped_type kNone;
  auto was = before.begin(), is = after.begin();
  while (was != before.end() || is != after.end()) {
    const int order = was == before.end() ? 1 : is == after.end() ? -1 : was->first.compare(is->first);
    const auto& old_value = order <= 0 ? was->second : kNone;
    const auto& new_value = order >= 0 ? is->second : kNone;
    if (old_value != new_value) visit(old_value, new_value);
    if (order <= 0) ++was;
    if (order >= 0) ++is;
  }
}

using Visit = std::function<void(const TablePtr& was, const TablePtr& is)>;

TablePtr EntriesOf(const TableSchema* table, const std::string& index) {
  const IndexSchema* const found = table == nullptr ? nullptr : table->FindIndex(index);
  return found == nullptr ? nullptr : found->entries;
}

void WalkIndexes(const TablePtr& was, const TablePtr& is, const Visit& visit) {
  if (was != nullptr) {
    for (const IndexSchema& index : was->indexes) {
      const TablePtr now = EntriesOf(is.get(), index.name);
      if (now != index.entries) visit(index.entries, now);
    }
  }
  if (is == nullptr) return;
  for (const IndexSchema& index : is->indexes) {
    if (EntriesOf(was.get(), index.name) == nullptr) visit(nullptr, index.entries);
  }
}

}  // namespace

void ForEachChangedTable(const SchemaSnapshot& before, const SchemaSnapshot& after,
                         const std::function<void(const TablePtr& was, const TablePtr& is)>& visit) {
  static const decltype(KeyspaceSchema::tables) kNoTables;
  WalkBoth(before.keyspaces, after.keyspaces, [&](const KeyspacePtr& was, const KeyspacePtr& is) {
    WalkBoth(was == nullptr ? kNoTables : was->tables, is == nullptr ? kNoTables : is->tables,
             [&](const TablePtr& was_table, const TablePtr& is_table) {
               visit(was_table, is_table);
               WalkIndexes(was_table, is_table, visit);
             });
  });
}

void ForEachStoredTable(const SchemaSnapshot& schema, const std::function<void(const TablePtr& table)>& visit) {
  for (const auto& [name, keyspace] : schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      visit(table);
      for (const IndexSchema& index : table->indexes) visit(index.entries);
    }
  }
}

}  // namespace widerow
