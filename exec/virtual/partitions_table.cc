#include "exec/virtual/generators.h"

namespace widerow {

namespace {
constexpr int64_t kMebibyte = 1 << 20;
}

void DiskUsageRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [keyspace_name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      int64_t bytes = 0;
      for (const PartitionStats& partition : context.storage.Partitions(*table)) bytes += partition.bytes;
      rows.Add()
          .Text("keyspace_name", keyspace_name)
          .Text("table_name", table_name)
          .Integer("mebibytes", (bytes + kMebibyte - 1) / kMebibyte);
    }
  }
}

void PartitionsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [keyspace_name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      for (const PartitionStats& partition : context.storage.Partitions(*table)) {
        // Positions are tokens with the sign bit flipped; the first partition begins with the ring.
        int64_t first_token = INT64_MIN;
        if (partition.first_position.size() == 8) {
          const uint64_t position = ReadBigEndian<uint64_t>(partition.first_position.data());
          first_token = static_cast<int64_t>(position ^ (uint64_t{1} << 63));
        }
        rows.Add()
            .Text("keyspace_name", keyspace_name)
            .Text("table_name", table_name)
            .Integer("partition_id", partition.id)
            .Integer("bytes", partition.bytes)
            .Integer("first_token", first_token)
            .Integer("read_micros", static_cast<int64_t>(partition.read_micros))
            .Integer("reads", static_cast<int64_t>(partition.reads))
            .Integer("rows", partition.rows)
            .Integer("write_micros", static_cast<int64_t>(partition.write_micros))
            .Integer("writes", static_cast<int64_t>(partition.writes));
      }
    }
  }
}

}  // namespace widerow
