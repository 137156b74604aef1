#include "exec/virtual/generators.h"
#include "planner/access/partition_key.h"
#include "types/position.h"
#include "types/text_form.h"

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

namespace {

// Returns the token of a position. Positions are tokens with the sign bit flipped; an empty one is the start of the
// ring.
int64_t FirstToken(ByteView first_position) {
  if (first_position.size() != sizeof(uint64_t)) return INT64_MIN;
  return static_cast<int64_t>(ReadBigEndian<uint64_t>(first_position.data()) ^ (uint64_t{1} << 63));
}

std::string ListText(const TableSchema& table, const PartitionRange& range) {
  const Type& type = *table.FindId(table.partitioning.columns[0])->type;
  std::string text;
  for (const Bytes& value : range.values) text += (text.empty() ? "" : ", ") + FormatLiteral(type, value);
  return text;
}

void AddBounds(const TableSchema& table, const PartitionStats& partition, VirtualRows& rows) {
  const PartitionKind kind = table.partitioning.kind;
  if (kind == PartitionKind::kToken) {
    rows.Integer("first_token", FirstToken(partition.first_position));
    return;
  }
  for (size_t i = 0; i < table.partition_map.size(); ++i) {
    const PartitionRange& range = table.partition_map[i];
    if (range.id != partition.id) continue;
    rows.Text("name", range.name);
    if (kind == PartitionKind::kList) rows.Text("list_values", ListText(table, range));
    if (kind != PartitionKind::kRange) return;
    rows.Boolean("automatic", range.automatic);
    if (i > 0) rows.Text("first_key", BoundText(table, range.first_position));
    const bool last = i + 1 == table.partition_map.size();
    const Bytes& end_key = table.partitioning.end_key;
    const Bytes end = !last             ? table.partition_map[i + 1].first_position
                      : end_key.empty() ? Bytes()
                                        : PositionOfKey(end_key);
    if (!end.empty()) rows.Text("end_key", BoundText(table, end));
  }
}

}  // namespace

void PartitionsRows(const VirtualContext& context, VirtualRows& rows) {
  for (const auto& [keyspace_name, keyspace] : context.schema->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      if (IsVirtual(*table)) continue;
      int64_t position = 0;
      for (const PartitionStats& partition : context.storage.Partitions(*table)) {
        rows.Add()
            .Text("keyspace_name", keyspace_name)
            .Text("table_name", table_name)
            .Integer("position", position++)
            .Integer("partition_id", partition.id)
            .Text("partition_by", PartitionKindName(table->partitioning.kind))
            .Integer("bytes", partition.bytes)
            .Integer("read_micros", static_cast<int64_t>(partition.read_micros))
            .Integer("reads", static_cast<int64_t>(partition.reads))
            .Integer("rows", partition.rows)
            .Integer("write_micros", static_cast<int64_t>(partition.write_micros))
            .Integer("writes", static_cast<int64_t>(partition.writes));
        AddBounds(*table, partition, rows);
      }
    }
  }
}

}  // namespace widerow
