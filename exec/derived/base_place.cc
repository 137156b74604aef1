#include "exec/derived/base_place.h"

#include <algorithm>

#include "exec/derived/index_entries.h"
#include "exec/derived/view_keys.h"

namespace widerow {

Result<BasePlace> BasePlaceOf(const TableSchema& base, const TableDerivation& derivation, const RowView& derived) {
  if (derivation.table()->view != nullptr) {
    ViewKeys::BaseKey key;
    WR_RETURN_IF_ERROR(ViewKeys(base, *derivation.table()).BaseKeyOf(derived, key));
    return BasePlace{.partition_key = std::move(key.partition_key), .clustering = std::move(key.clustering)};
  }
  EntryPlace place;
  if (!TakeEntryPlace(derived.clustering, place)) {
    return ServerError("Damaged index of " + base.keyspace + "." + base.name);
  }
  return BasePlace{std::move(place.partition_key), std::move(place.clustering), place.is_static};
}

Result<bool> FollowsFrom(ReadView& view, Arena& room, const TableSchema& base, const TableDerivation& derivation,
                         const BasePlace& place, const RowView& derived) {
  RowView row;
  WR_ASSIGN_OR_RETURN(const bool found, place.is_static
                                            ? view.GetStaticRowInto(room, base, place.partition_key, row)
                                            : view.GetRowInto(room, base, place.partition_key, place.clustering, row));
  if (!found) return false;
  row.ExpandUniform();
  const BaseRow of{base, place.partition_key, place.is_static, place.clustering, &row};
  WR_ASSIGN_OR_RETURN(const DerivedRows keys, SortedKeysOf(derivation, of));
  return std::any_of(keys.rows.begin(), keys.rows.end(), [&](const DerivedRow& key) {
    return key.partition_key == derived.partition_key && key.clustering == derived.clustering;
  });
}

}  // namespace widerow
