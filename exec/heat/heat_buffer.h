// Collects operations before they are put on the heat map. Adding an operation costs about a hundred instructions. Some
// hundred operations are put on the map together (HeatMap). Thread-safe: threads may share a buffer.
#pragma once

#include <vector>

#include "base/mutex.h"
#include "exec/heat/heat_cell.h"
#include "storage/mutation.h"

namespace widerow {

// A list of operations in the order in which they were added. Used by one thread at a time.
class HeatOperations {
 public:
  struct Operation {
    uint32_t partition_begin = 0, partition_size = 0;    // The place of its stored key in bytes().
    uint32_t clustering_begin = 0, clustering_size = 0;  // The place of the row's clustering, which may be cut.
    HeatCell done;
    // A scan of many partitions adds only one of this many consecutive partitions; the others are "not named". `done`
    // has the sum of the operations on all of these partitions, also on those that are not named.
    uint64_t partitions = 1;
  };
  // Consecutive operations on one table.
  struct Run {
    TablePtr table;
    size_t begin = 0, end = 0;   // Indexes into operations().
    uint64_t unnamed_reads = 0;  // Reads of partitions that were not named. They are also in `done` of the named ones.
    uint64_t unnamed_reads_most = 0;  // No partition has more than this number of unnamed_reads.
  };

  // Adds the rows of a write.
  void Add(const PartitionMutation& partition);
  // Adds an operation on the row of `clustering`. `partitions`: see Operation.
  void Add(const TablePtr& table, ByteView partition_key, ByteView clustering, const HeatCell& done,
           uint64_t partitions = 1);
  // Adds the reads of those partitions of a scan that are not named (Operation): `others` partitions with `reads` reads
  // each. Must be called after the operations of the scan have been added.
  void AddUnnamed(uint64_t others, uint64_t reads);

  bool empty() const { return operations_.empty(); }
  // Returns the number of operations, and one more for each 256 bytes of keys.
  size_t size() const { return operations_.size() + bytes_.size() / 256; }
  const std::vector<Run>& runs() const { return runs_; }
  const Operation& operation(size_t i) const { return operations_[i]; }
  ByteView bytes(uint32_t begin, uint32_t size) const { return ByteView(bytes_).substr(begin, size); }
  void Clear();

 private:
  // Sets the partition of the operations that AddRow adds next.
  void Begin(const TablePtr& table, ByteView partition_key);
  // Adds an operation on a row of the partition that Begin has set.
  void AddRow(ByteView clustering, const HeatCell& done, uint64_t partitions = 1);

  std::vector<Run> runs_;
  std::vector<Operation> operations_;
  Bytes bytes_;
  uint32_t partition_begin_ = 0, partition_size_ = 0;
};

class HeatBuffer {
 public:
  // Calls `add` with the operations. Returns their size().
  template <typename Use>
  size_t Add(const Use& add) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    add(operations_);
    return operations_.size();
  }
  // Exchanges the operations for `empty`.
  void Swap(HeatOperations& empty) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    std::swap(operations_, empty);
  }

 private:
  Mutex mutex_;
  HeatOperations operations_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
