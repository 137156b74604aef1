#include "types/position.h"

#include <algorithm>

#include "base/delimited.h"

namespace widerow {

Bytes PositionOfKey(ByteView partition_key) {
  Bytes position(kNoToken);
  if (!partition_key.empty()) AppendDelimited(partition_key, position);
  return position;
}

Bytes KeyOfPosition(ByteView position) {
  Bytes key;
  if (!position.starts_with(kNoToken)) return key;
  position.remove_prefix(kNoToken.size());
  return TakeDelimited(position, key) ? key : Bytes();
}

size_t PartitionIndexAt(const TableSchema& table, ByteView position) {
  const std::vector<PartitionRange>& map = table.partition_map;
  const auto after =
      std::upper_bound(map.begin(), map.end(), position, [](ByteView wanted, const PartitionRange& range) {
        const Bytes& first = range.first_position;
        if (wanted.size() < sizeof(uint64_t) || first.size() != sizeof(uint64_t)) return wanted < ByteView(first);
        // Both positions begin with a token, which is compared as a number because that is faster.
        return ReadBigEndian<uint64_t>(wanted.data()) < ReadBigEndian<uint64_t>(first.data());
      });
  return after == map.begin() ? 0 : static_cast<size_t>(after - map.begin()) - 1;
}

StorageId StorageIdAt(const TableSchema& table, ByteView position) {
  const std::vector<Extent>& extents = table.partitioning.extents;
  if (extents.empty()) return table.storage_id;
  const auto after =
      std::upper_bound(extents.begin(), extents.end(), position,
                       [](ByteView wanted, const Extent& extent) { return wanted < ByteView(extent.first_position); });
  return (after - 1)->storage_id;  // `after` is not the first extent, because that one begins at the first position.
}

uint32_t PartitionIdOf(const TableSchema& table, ByteView position) {
  return table.partition_map.empty() ? 0 : table.partition_map[PartitionIndexAt(table, position)].id;
}

}  // namespace widerow
