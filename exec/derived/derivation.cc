#include "exec/derived/derivation.h"

#include <algorithm>
#include <tuple>

#include "exec/derived/index_entries.h"
#include "exec/derived/view_keys.h"

namespace widerow {

bool HasSameRows(const TableSchema& before, const TableSchema& after) {
  return before.storage_id == after.storage_id && before.partitioning.SamePlaces(after.partitioning) &&
         !ColumnsCameBack(before, after);
}

std::vector<DerivationPtr> DerivationsOf(const TablePtr& table, const SchemaSnapshot& schema) {
  std::vector<DerivationPtr> derivations;
  for (const IndexSchema& index : table->indexes) derivations.push_back(MakeIndexDerivation(table, index));
  for (const std::string& name : table->views) {
    const TablePtr view = schema.FindTable(table->keyspace, name);
    if (view != nullptr) derivations.push_back(MakeViewDerivation(table, view, schema));
  }
  return derivations;
}

bool LifeOf(const BaseRow& row, DerivedRow& life) {
  bool any = false;
  const auto add = [&](int32_t ttl, int64_t expires_at) {
    if (any) return life.KeepUntil(ttl, expires_at);
    life.ttl = ttl;
    life.expires_at = expires_at;
    any = true;
  };
  const Liveness& marker = row.row->marker;
  if (marker.present()) add(marker.ttl, marker.expires_at);
  for (const CellView& cell : row.row->cells) {
    if (!cell.tombstone && row.table.FindId(cell.column) != nullptr) add(cell.ttl, cell.expires_at);
  }
  return any;
}

Result<DerivedRows> SortedKeysOf(const TableDerivation& derivation, const BaseRow& row) {
  DerivedRows derived;
  if (row.row == nullptr) return derived;
  WR_RETURN_IF_ERROR(derivation.KeysOf(row, derived));
  std::vector<DerivedRow>& keys = derived.rows;
  const auto place = [](const DerivedRow& key) { return std::tie(key.partition_key, key.clustering); };
  std::sort(keys.begin(), keys.end(), [&](const DerivedRow& a, const DerivedRow& b) { return place(a) < place(b); });
  size_t kept = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (kept > 0 && place(keys[kept - 1]) == place(keys[i])) {
      keys[kept - 1].KeepUntil(keys[i].ttl, keys[i].expires_at);
    } else {
      if (kept != i) keys[kept] = std::move(keys[i]);
      ++kept;
    }
  }
  keys.resize(kept);
  return derived;
}

}  // namespace widerow
