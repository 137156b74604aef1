// The heat of one table. Thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>

#include "base/mutex.h"
#include "exec/heat/busy_partitions.h"
#include "exec/heat/counted_ranges.h"
#include "exec/heat/heat_buffer.h"
#include "exec/heat/heat_history.h"
#include "exec/heat/key_sample.h"

namespace widerow {

// A partition that certainly had more than kHotReads or kHotWrites a second in a slice. The true numbers of reads and
// writes differ from the given ones by at most reads_error and writes_error.
struct HotPartition {
  Bytes key;
  double reads_a_second = 0, writes_a_second = 0;  // In its hottest slice.
  double reads_error = 0, writes_error = 0;
  int64_t at_seconds = 0;  // The time of the hottest slice.
};

// A copy of the state at one moment.
struct HeatSnapshot {
  std::vector<HeatSlice> slices;    // Oldest first; the last one may be incomplete.
  KeyAxisPtr axis;                  // The newest axis.
  uint64_t distinct_keys = 0;       // Different keys seen.
  std::vector<BusyPartition> busy;  // The busiest partitions of the last 10 to 20 minutes, busiest first.
  uint64_t busy_operations = 0;     // The operations of all partitions in busy_seconds.
  uint64_t busy_skipped = 0;        // The statements in busy_seconds that were not measured (BoundOfSampledReads).
  int64_t busy_seconds = 0;         // The length of the time that `busy` covers.
  std::vector<HotPartition> hot;
};

// A slice of time of the whole server.
struct HeatTime {
  int64_t slice_begin = 0;  // In seconds.
  uint64_t skipped = 0;     // The reads of this slice, up to now, that were not measured.
};

class TableHeat {
 public:
  static constexpr double kHotReads = 3'000, kHotWrites = 1'000;

  // `prefix`: the beginning of the keys of the table's notes. `stored`: the stored notes.
  TableHeat(Bytes prefix, const std::vector<StorageNote>& stored);

  // Says where operations come from: from a thread, in one round. In each round, the operations of all threads are
  // added, one thread after the other.
  struct Source {
    uint64_t round = 0;
    size_t thread = 0;
  };
  // Adds operations of one run. All are in the slice that begins at `slice_begin`.
  void Add(const HeatOperations& operations, const HeatOperations::Run& run, Source source, int64_t slice_begin)
      WR_EXCLUDES(mutex_);
  // Ends the slice. Nothing that belongs to it is added any more.
  void EndSlice(const HeatTime& time) WR_EXCLUDES(mutex_);
  // Returns the partition if it is known to be hot.
  std::optional<HotPartition> HotPartitionOf(ByteView partition_key) const WR_EXCLUDES(mutex_);
  HeatSnapshot Snapshot(const HeatTime& time, int64_t now_seconds) WR_EXCLUDES(mutex_);
  // Returns the notes that have changed since the last call, to be stored.
  std::vector<StorageNote> TakeChanges(const HeatTime& time) WR_EXCLUDES(mutex_);
  int64_t last_used_seconds() const WR_EXCLUDES(mutex_);
  const Bytes& prefix() const { return prefix_; }

 private:
  static constexpr int64_t kBusySeconds = 600;
  static constexpr size_t kHotMax = 64;

  void AddRow(ByteView key, const HeatCell& done) WR_REQUIRES(mutex_);
  // Moves the current counts to the history.
  void PutAway(const HeatTime& time) WR_REQUIRES(mutex_);
  HeatSlice SliceSoFar(const HeatTime& time) WR_REQUIRES(mutex_);
  void RenewAxis() WR_REQUIRES(mutex_);
  void RenewBusy(int64_t slice_begin) WR_REQUIRES(mutex_);
  void FindHot(const HeatTime& time) WR_REQUIRES(mutex_);

  const Bytes prefix_;
  mutable Mutex mutex_;
  HeatHistory history_ WR_GUARDED_BY(mutex_);
  KeySample keys_ WR_GUARDED_BY(mutex_);
  CountedRanges ranges_ WR_GUARDED_BY(mutex_);
  KeyAxisPtr axis_ WR_GUARDED_BY(mutex_);  // Made from ranges_ when its version was axis_version_.
  uint64_t axis_version_ WR_GUARDED_BY(mutex_) = 0, stored_version_ WR_GUARDED_BY(mutex_) = 0;

  // greatest_written_ is the greatest key written before this round; greatest_of_round_ also counts this round.
  // greatest_seen_ is the greatest key written before this round or by the thread of `source_`.
  Bytes greatest_written_ WR_GUARDED_BY(mutex_), greatest_of_round_ WR_GUARDED_BY(mutex_),
      greatest_seen_ WR_GUARDED_BY(mutex_);
  Source source_ WR_GUARDED_BY(mutex_);

  // The current slice. Its cells by key are in ranges_.
  int64_t slice_begin_ WR_GUARDED_BY(mutex_) = 0;
  std::vector<HeatCell> by_token_ WR_GUARDED_BY(mutex_);
  Bytes low_ WR_GUARDED_BY(mutex_), high_ WR_GUARDED_BY(mutex_);
  bool any_ WR_GUARDED_BY(mutex_) = false;
  uint64_t appended_ WR_GUARDED_BY(mutex_) = 0;
  uint64_t skipped_put_away_ WR_GUARDED_BY(mutex_) = 0;  // The part of HeatTime::skipped that is in the history.
  BusyPartitions busy_in_slice_ WR_GUARDED_BY(mutex_);
  Bytes key_ WR_GUARDED_BY(mutex_);  // The key of the operation that is being added.

  // The busy partitions of a period of ten minutes, and the number of reads of the period that were not measured.
  struct Busy {
    BusyPartitions partitions;
    uint64_t skipped = 0;
  };
  // The period that began at busy_begin_, without the current slice, and the period before it. Together they cover the
  // last 10 to 20 minutes.
  Busy busy_ WR_GUARDED_BY(mutex_), busy_before_ WR_GUARDED_BY(mutex_);
  int64_t busy_begin_ WR_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<uint64_t, HotPartition> hot_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
