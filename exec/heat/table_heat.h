// The heat of one table. Operations are collected and put on the axes some hundred at a time, so that recording one
// costs about a microsecond. Thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include "base/mutex.h"
#include "exec/heat/busy_partitions.h"
#include "exec/heat/heat_history.h"
#include "exec/heat/key_sample.h"

namespace widerow {

// A partition with more than kHotReads or kHotWrites a second in a slice.
struct HotPartition {
  Bytes key;
  double reads_a_second = 0, writes_a_second = 0;  // In its hottest slice.
  int64_t at_seconds = 0;                          // The time of that slice.
};

// A copy of the state at one moment.
struct HeatSnapshot {
  std::vector<HeatSlice> slices;    // Oldest first; the last one may be incomplete.
  KeyAxisPtr axis;                  // The newest.
  uint64_t distinct_keys = 0;       // Different keys seen.
  std::vector<BusyPartition> busy;  // In the last 10 to 20 minutes, busiest first.
  int64_t busy_seconds = 0;         // The length of that time.
  std::vector<HotPartition> hot;
};

class TableHeat {
 public:
  static constexpr double kHotReads = 3'000, kHotWrites = 1'000;

  struct Operation {
    ByteView partition_key, ordered_key;
    uint64_t token_position = 0;
    HeatCell done;
  };

  // `prefix`: the beginning of the keys of the table's notes. `stored`: the stored notes.
  TableHeat(Bytes prefix, const std::vector<StorageNote>& stored);

  // Records an operation. True if the partition is known to be hot.
  bool Record(const Operation& operation, int64_t now_seconds) WR_EXCLUDES(mutex_);
  HeatSnapshot Snapshot(int64_t now_seconds) WR_EXCLUDES(mutex_);
  // Returns the notes that have changed since the last call, to be stored.
  std::vector<StorageNote> TakeChanges(int64_t now_seconds) WR_EXCLUDES(mutex_);
  int64_t last_used_seconds() const WR_EXCLUDES(mutex_);
  const Bytes& prefix() const { return prefix_; }

 private:
  static constexpr size_t kGatheredMax = 512;
  static constexpr int64_t kBusySeconds = 600;
  static constexpr size_t kHotMax = 64;

  struct Gathered {
    size_t key_begin = 0, key_size = 0;
    uint8_t token_bucket = 0;
    HeatCell done;
  };

  void TurnTo(int64_t now_seconds) WR_REQUIRES(mutex_);
  void CloseSlice() WR_REQUIRES(mutex_);
  void PutOnAxes() WR_REQUIRES(mutex_);
  void RenewAxis() WR_REQUIRES(mutex_);
  HeatSlice SliceSoFar() const WR_REQUIRES(mutex_);
  void FindHot() WR_REQUIRES(mutex_);

  const Bytes prefix_;
  mutable Mutex mutex_;
  HeatHistory history_ WR_GUARDED_BY(mutex_);
  KeySample keys_ WR_GUARDED_BY(mutex_);
  KeyAxisPtr axis_ WR_GUARDED_BY(mutex_);
  uint64_t axis_keys_ WR_GUARDED_BY(mutex_) = 0;  // Different keys when axis_ was made.
  Bytes greatest_written_ WR_GUARDED_BY(mutex_);

  // The current slice.
  int64_t slice_begin_ WR_GUARDED_BY(mutex_) = 0;
  std::vector<HeatCell> by_key_ WR_GUARDED_BY(mutex_), by_token_ WR_GUARDED_BY(mutex_);
  Bytes low_ WR_GUARDED_BY(mutex_), high_ WR_GUARDED_BY(mutex_);
  bool any_ WR_GUARDED_BY(mutex_) = false;
  uint64_t appended_ WR_GUARDED_BY(mutex_) = 0;
  BusyPartitions busy_in_slice_ WR_GUARDED_BY(mutex_);
  std::vector<Gathered> gathered_ WR_GUARDED_BY(mutex_);
  Bytes gathered_keys_ WR_GUARDED_BY(mutex_);

  BusyPartitions busy_ WR_GUARDED_BY(mutex_), busy_before_ WR_GUARDED_BY(mutex_);
  int64_t busy_begin_ WR_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<uint64_t, HotPartition> hot_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
