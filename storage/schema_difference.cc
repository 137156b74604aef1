#include "storage/schema_difference.h"

namespace widerow {
namespace {

// Walks two maps with the same order of keys side by side; `visit` gets null where a key is in one of them only.
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

}  // namespace

void ForEachChangedTable(const SchemaSnapshot& before, const SchemaSnapshot& after,
                         const std::function<void(const TablePtr& was, const TablePtr& is)>& visit) {
  static const decltype(KeyspaceSchema::tables) kNoTables;
  WalkBoth(before.keyspaces, after.keyspaces, [&](const KeyspacePtr& was, const KeyspacePtr& is) {
    WalkBoth(was == nullptr ? kNoTables : was->tables, is == nullptr ? kNoTables : is->tables, visit);
  });
}

}  // namespace widerow
