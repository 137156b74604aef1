// Finds the busiest partitions in bounded memory: the algorithm "filtered Space-Saving" (Homem and Carvalho, 2010). Up
// to kKeptMax partitions are counted each by itself. All others share kSlots slots, by their hashes. The number of a
// slot is an upper bound of the operations of each partition in it. When an operation would raise this number above
// Bar(), the operation's partition is counted by itself from then on, in place of the least busy of those partitions,
// which goes to its own slot. Errors are bounded. Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "base/bytes.h"
#include "exec/heat/heat_cell.h"

namespace widerow {

struct BusyPartition {
  uint64_t hash = 0;                             // Hash of the key; identifies the partition.
  Bytes key;                                     // In stored form.
  HeatCell done;                                 // The operations since the partition has been counted by itself.
  uint64_t reads_missed = 0, writes_missed = 0;  // Upper bounds of the operations that were not counted.

  uint64_t operations() const { return done.reads + done.writes; }
  // ReadsError and WritesError return bounds for the errors of done.reads and done.writes. `skipped`: the server's
  // reads that were not measured while BusyPartitions counted (BoundOfSampledReads).
  uint64_t ReadsError(uint64_t skipped) const {
    return BoundOfSampledReads(done.samples + reads_missed / kReadsOfSample, skipped) + reads_missed;
  }
  uint64_t WritesError() const { return writes_missed; }
};

class BusyPartitions {
 public:
  static constexpr size_t kKeptMax = 256, kSlots = 2'048;

  // Counts the operations of `done` for this partition.
  void Add(uint64_t hash, ByteView key, const HeatCell& done);
  // Counts reads of unknown partitions. No partition had more than `most` of them.
  void AddUnnamed(uint64_t reads, uint64_t most) {
    operations_ += reads;
    unnamed_most_ += most;
  }
  // Adds everything that `later` has counted.
  void Add(const BusyPartitions& later);
  // Returns the partitions, busiest first.
  std::vector<BusyPartition> List() const;
  uint64_t operations() const { return operations_; }
  void Clear();

 private:
  struct Missed {
    uint64_t reads = 0, writes = 0;
    uint64_t operations() const { return reads + writes; }
  };
  static size_t SlotOf(uint64_t hash) { return hash % kSlots; }
  static uint64_t MostOf(const BusyPartition& one) { return one.operations() + one.reads_missed + one.writes_missed; }
  Missed MissedOf(uint64_t hash) const { return slots_.empty() ? Missed() : slots_[SlotOf(hash)]; }
  // A partition must exceed this number of operations to take the place of the least busy one. It is greater than
  // least_, so that equally busy partitions do not change places all the time.
  uint64_t Bar() const { return least_ + least_ / 16 + 4; }
  void Replace(uint64_t hash, ByteView key, const HeatCell& done);
  // Raises the number of the slot of `one`, which is no longer counted by itself, to at least the operations of `one`.
  void PutInSlot(const BusyPartition& one);

  std::vector<BusyPartition> kept_;
  absl::flat_hash_map<uint64_t, uint32_t> place_;  // Indexes into kept_, by hash.
  std::vector<Missed> slots_;                      // Empty while all partitions are kept.
  uint64_t least_ = 0;                             // A lower bound of MostOf for each kept partition.
  uint64_t operations_ = 0;
  uint64_t unnamed_most_ = 0;  // No partition had more than this number of the reads that AddUnnamed has counted.
};

}  // namespace widerow
