#include "exec/meter/table_size.h"

#include <algorithm>

namespace widerow {

TableSize SizeOfTokens(const TableSchema& table, const Slice::TokenRange& tokens, StorageEngine& storage) {
  int64_t rows = 0, bytes = 0;
  for (const PartitionStats& part : storage.Partitions(table)) {
    rows += part.rows;
    bytes += part.bytes;
  }
  const bool by_token = table.partitioning.by_token();
  const double share = by_token ? (static_cast<double>(tokens.last) - static_cast<double>(tokens.first)) / 0x1p64 : 1;
  const auto of = [&](int64_t all) {
    return static_cast<uint64_t>(static_cast<double>(std::max<int64_t>(all, 0)) * share);
  };
  return {.rows = of(rows), .bytes = of(bytes)};
}

TableSize SizeOfPartition(const TableSchema& table, ByteView partition_key, StorageEngine& storage) {
  constexpr TableSize kSmall = {.rows = 1'000, .bytes = 100'000};
  for (const PartitionSize& large : storage.LargestPartitions(table)) {
    if (large.partition_key != partition_key || large.rows <= 0 || large.bytes <= 0) continue;
    const auto rows = static_cast<uint64_t>(large.rows), bytes = static_cast<uint64_t>(large.bytes);
    return {.rows = std::max(rows, kSmall.rows), .bytes = std::max(bytes, kSmall.bytes)};
  }
  return kSmall;
}

}  // namespace widerow
