#include "exec/meter/touched_partitions.h"

#include <algorithm>
#include <iterator>

#include "storage/large_object.h"

namespace widerow {

uint64_t WrittenBytes(const PartitionMutation& partition) {
  uint64_t bytes = partition.partition_key.size();
  for (const RowMutation& row : partition.rows) {
    bytes += row.clustering.size();
    for (const Cell& cell : row.content.cells) bytes += cell.path.size() + ValueBytes(cell);
  }
  return bytes;
}

void TouchedPartitions::Thin() {
  const size_t left = (kept_.size() + 1) / 2;
  for (size_t i = 1; i < left; ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.resize(left);
  stride_ *= 2;
}

void TouchedPartitions::Add(const TablePtr& table, ByteView partition_key, ByteView clustering, uint64_t rows,
                            uint64_t bytes) {
  rows_ += rows;
  bytes_ += bytes;
  if (count_++ % stride_ != 0) return;
  if (kept_.size() == kKeptMax) {
    Thin();
    if ((count_ - 1) % stride_ != 0) return;
  }
  kept_.push_back({table, Bytes(partition_key), Bytes(clustering), rows, bytes});
}

void TouchedPartitions::Add(TouchedPartitions&& other) {
  while (stride_ < other.stride_) Thin();
  while (other.stride_ < stride_) other.Thin();
  std::move(other.kept_.begin(), other.kept_.end(), std::back_inserter(kept_));
  if (kept_.size() > kKeptMax) Thin();
  count_ += other.count_;
  rows_ += other.rows_;
  bytes_ += other.bytes_;
}

void TouchedPartitions::Add(const Mutation& mutation) {
  for (const PartitionMutation& partition : mutation) {
    const size_t deletions = (partition.partition_deletion.present() ? 1 : 0) + partition.range_deletions.size();
    const ByteView clustering = partition.rows.empty() ? ByteView() : ByteView(partition.rows[0].clustering);
    Add(partition.table, partition.partition_key, clustering, partition.rows.size() + deletions,
        WrittenBytes(partition));
  }
}

}  // namespace widerow
