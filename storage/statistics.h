// Statistics of the storage engine from its start on, and the waits of writes. Shown by system_views.write_waits and
// GET /metrics. The space that the engine uses is in StorageUsage (storage_engine.h).
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/latency_histogram.h"

namespace widerow {

// The stages of a write's wait, from queueing to its answer. A write is in one stage at a time. kTotal is the sum of
// the other stages.
enum class WaitStage : uint8_t {
  kQueue,  // Waits for the group before its own, and for writes queued before it.
  // The writer pauses so that the fold keeps up, or waits for a memtable to be folded.
  kBackPressure,
  kApply,  // Its group is decided and put into the memtable.
  // Its group is appended to the commit log, and synced if the durability asks for that.
  kSync,
  kTotal,
};
inline constexpr size_t kWaitStages = 5;
inline constexpr std::array<std::string_view, kWaitStages> kWaitStageNames = {"queue", "back_pressure", "apply", "sync",
                                                                              "total"};

struct StorageStatistics {
  // By WaitStage. Includes writes that were refused in their group. Excludes writes that were refused because the queue
  // or the memtable was full.
  std::array<LatencyHistogram::Counts, kWaitStages> waits;
  // Groups of writes. Usually a group is one record of the commit log and, with Durability::kSync, one sync.
  uint64_t groups = 0;
  size_t writes_pending = 0;  // Writes in the queue.
  double fold_progress = 1;   // 0 to 1; 1 if there is no fold.
  uint64_t folds = 0;         // Folds that have ended.
  uint64_t fold_micros = 0;   // The time that these folds took.
  uint64_t log_bytes_appended = 0;
};

// The work of the sweeper in a table from the start on, and its knowledge of the table (storage/count/purge_ledger.h).
struct PurgeStatistics {
  // The earliest second from which gc_grace runs for content of the data file. Absent: nothing will have to be purged.
  std::optional<int64_t> oldest_seconds;
  uint64_t walks = 0;             // Walks through the whole table.
  uint64_t partition_visits = 0;  // Visits to single partitions that seemed to be worth it.
  uint64_t records_examined = 0;
  // Rows, tombstones and elements of collections that were removed or became smaller.
  uint64_t records_purged = 0;
  uint64_t records_held_back = 0;  // Left for later, because a memtable has their key.
  uint64_t bytes_purged = 0;
  uint64_t partitions_waiting = 0, records_waiting = 0;  // Known at this moment.
  int64_t last_seconds = 0;                              // The end of the last walk or visit; 0: none.
};

}  // namespace widerow
