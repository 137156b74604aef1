// Statistics of the storage engine since it was opened, among them how long writes waited. system_views.write_waits and
// GET /metrics show them. StorageUsage (storage_engine.h) has the space that the engine uses.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/latency_histogram.h"

namespace widerow {

// The stages through which a write passes from queueing to its answer, one after another. kTotal stands for the whole
// time.
enum class WaitStage : uint8_t {
  kQueue,  // The write is in the queue, while earlier groups of writes are committed.
  // The writer's thread pauses so that the fold keeps up, or waits until a memtable has been folded.
  kBackPressure,
  kApply,  // The decide steps of its group run, and the group is put into the memtable.
  // The group is appended to the commit log, and synced if the durability mode requires it.
  kSync,
  kTotal,
};
inline constexpr size_t kWaitStages = 5;
inline constexpr std::array<std::string_view, kWaitStages> kWaitStageNames = {"queue", "back_pressure", "apply", "sync",
                                                                              "total"};

struct StorageStatistics {
  // The times that writes spent in each WaitStage. A write that was refused while its group was applied is counted. A
  // write that was refused because the queue or the memtable was full is not counted.
  std::array<LatencyHistogram::Counts, kWaitStages> waits;
  // The number of groups of writes. Usually a group is one record of the commit log and, with Durability::kSync, one
  // sync.
  uint64_t groups = 0;
  size_t writes_pending = 0;  // Writes in the queue.
  double fold_progress = 1;   // 0 to 1; 1 if there is no fold.
  uint64_t folds = 0;         // Folds that have ended.
  uint64_t fold_micros = 0;   // The time that these folds took.
  uint64_t log_bytes_appended = 0;
  // Large objects (large_object.h): the objects and bytes that were written, and the bytes that were read in parts. The
  // last number is that of the objects that are being written now, or wait for a fold or for the sweeper.
  uint64_t large_objects_written = 0, large_bytes_written = 0, large_bytes_read = 0, large_objects_loose = 0;
};

// The results of purging in a table since the engine was opened, and the known work that is left
// (storage/count/purge_ledger.h).
struct PurgeStatistics {
  // The earliest `since` of content in the data file: the second from which gc_grace runs
  // (storage/reconcile/purge_times.h). Absent if nothing in the data file will have to be purged.
  std::optional<int64_t> oldest_seconds;
  uint64_t walks = 0;             // Walks through the whole table.
  uint64_t partition_visits = 0;  // Visits to single partitions with much to purge.
  uint64_t records_examined = 0;
  // Records (rows, tombstones, and elements of collections) that were removed or made smaller.
  uint64_t records_purged = 0;
  uint64_t records_held_back = 0;  // Not purged yet, because a memtable has their key.
  uint64_t bytes_purged = 0;
  uint64_t partitions_waiting = 0, records_waiting = 0;  // The known work that is left.
  int64_t last_seconds = 0;                              // The end of the last walk or visit; 0: none.
};

}  // namespace widerow
