#include "exec/virtual/partitions_table.h"

#include "exec/virtual/table_builder.h"
#include "types/value_bytes.h"

namespace widerow {

TablePtr PartitionsTable() {
  using enum TypeKind;
  return VirtualTableBuilder("system_views", "partitions",
                             "partitions of every table: first token, rows and bytes as stored, load since start")
      .PartitionKey("keyspace_name", kText)
      .PartitionKey("table_name", kText)
      .Clustering("partition_id", kInt)
      .Regular("bytes", kBigint)
      .Regular("first_token", kBigint)
      .Regular("read_micros", kBigint)
      .Regular("reads", kBigint)
      .Regular("rows", kBigint)
      .Regular("write_micros", kBigint)
      .Regular("writes", kBigint)
      .Build();
}

std::vector<VirtualRow> PartitionsRows(const VirtualContext& context) {
  std::vector<VirtualRow> rows;
  const auto big = [](auto number) { return Value(EncodeInteger(TypeKind::kBigint, static_cast<int64_t>(number))); };
  for (const auto& [keyspace_name, keyspace] : context.schema.keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      for (const PartitionStats& partition : context.storage.Partitions(*table)) {
        // Positions are tokens with the sign bit flipped; the first partition begins with the ring.
        Value first_token = big(INT64_MIN);
        if (partition.first_position.size() == 8) {
          first_token = big(ReadBigEndian<uint64_t>(partition.first_position.data()) ^ (uint64_t{1} << 63));
        }
        rows.push_back({Value(keyspace_name), Value(table_name), Value(EncodeInteger(TypeKind::kInt, partition.id)),
                        big(partition.bytes), std::move(first_token), big(partition.read_micros), big(partition.reads),
                        big(partition.rows), big(partition.write_micros), big(partition.writes)});
      }
    }
  }
  return rows;
}

}  // namespace widerow
