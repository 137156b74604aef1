#include "exec/heat/heat_buffer.h"

#include "exec/heat/heat_key.h"

namespace widerow {
namespace {

uint64_t BytesOf(const RowMutation& row) {
  uint64_t bytes = row.clustering.size();
  for (const Cell& cell : row.content.cells) bytes += cell.path.size() + cell.value.size();
  return bytes;
}

}  // namespace

void HeatOperations::Begin(const TablePtr& table, ByteView partition_key) {
  if (runs_.empty() || runs_.back().table != table)
    runs_.push_back({.table = table, .begin = operations_.size(), .end = operations_.size()});
  // Rows of one partition often follow each other. Their partition key is stored once.
  else if (partition_key == bytes(partition_begin_, partition_size_))
    return;
  partition_begin_ = static_cast<uint32_t>(bytes_.size());
  partition_size_ = static_cast<uint32_t>(partition_key.size());
  bytes_ += partition_key;
}

void HeatOperations::AddRow(ByteView clustering, const HeatCell& done, uint64_t partitions) {
  clustering = clustering.substr(0, kHeatKeyBytesMax);
  operations_.push_back({.partition_begin = partition_begin_,
                         .partition_size = partition_size_,
                         .clustering_begin = static_cast<uint32_t>(bytes_.size()),
                         .clustering_size = static_cast<uint32_t>(clustering.size()),
                         .done = done,
                         .partitions = partitions});
  bytes_ += clustering;
  runs_.back().end = operations_.size();
}

void HeatOperations::Add(const PartitionMutation& partition) {
  Begin(partition.table, partition.partition_key);
  uint64_t key_bytes = partition.partition_key.size();  // The partition key is counted once, with the first row.
  const auto add = [&](ByteView clustering, uint64_t bytes) {
    AddRow(clustering, {.writes = 1, .bytes = bytes + std::exchange(key_bytes, 0)});
  };
  for (const RowMutation& row : partition.rows) add(row.clustering, BytesOf(row));
  for (const RangeDeletion& deletion : partition.range_deletions) add(deletion.range.begin, 0);
  const bool names_no_row = partition.rows.empty() && partition.range_deletions.empty();
  if (partition.partition_deletion.present() || names_no_row) add({}, 0);
}

void HeatOperations::Add(const TablePtr& table, ByteView partition_key, ByteView clustering, const HeatCell& done,
                         uint64_t partitions) {
  Begin(table, partition_key);
  AddRow(clustering, done, partitions);
}

void HeatOperations::AddUnnamed(uint64_t others, uint64_t reads) {
  if (others == 0 || runs_.empty()) return;
  runs_.back().unnamed_reads += others * reads;
  runs_.back().unnamed_reads_most += reads;
}

void HeatOperations::Clear() {
  runs_.clear();
  operations_.clear();
  bytes_.clear();
}

}  // namespace widerow
