// What the storage engine has done since its start, and what writes wait for. For system_views.write_waits and GET /metrics;
// what it takes is StorageUsage in engine.h.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/latency_histogram.h"

namespace widerow {

// What a write waits for, from the moment it is queued until it is answered. A write is in one stage at a time, kTotal apart.
enum class WaitStage : uint8_t {
  kQueue,         // For the group before it, and for those queued before it.
  kBackPressure,  // While the writer lets the fold keep up, or waits for a memtable to be folded.
  kApply,         // For its group to be decided and put into the memtable.
  kSync,          // For its group to be appended to the commit log and synced, if the durability asks for that.
  kTotal,
};
inline constexpr size_t kWaitStages = 5;
inline constexpr std::array<std::string_view, kWaitStages> kWaitStageNames = {"queue", "back_pressure", "apply", "sync",
                                                                             "total"};

struct StorageStatistics {
  std::array<LatencyHistogram::Counts, kWaitStages> waits;  // By WaitStage; of writes that were answered, refused ones too.
  uint64_t groups = 0;              // Of writes, each one record of the commit log and one sync.
  size_t writes_pending = 0;        // In the queue now.
  double fold_progress = 1;         // 0 to 1; 1 if none is folded.
  uint64_t folds = 0;               // That have ended.
  uint64_t fold_micros = 0;         // That all of them took.
  uint64_t log_bytes_appended = 0;
};

// What the sweeper has done in a table since the start, and what it knows of (storage/purge_ledger.h).
struct PurgeStatistics {
  // In the data file: the earliest second from which gc_grace runs for something. None: there is nothing to purge one day.
  std::optional<int64_t> oldest_seconds;
  uint64_t walks = 0;             // Through the whole table.
  uint64_t partition_visits = 0;  // To partitions that were known to be worth it.
  uint64_t records_examined = 0;
  uint64_t records_purged = 0;     // Rows, tombstones, elements of collections: gone or smaller.
  uint64_t records_held_back = 0;  // Left for later, because a memtable knows of them.
  uint64_t bytes_purged = 0;
  uint64_t partitions_waiting = 0, records_waiting = 0;  // Known now.
  int64_t last_seconds = 0;        // When a walk or visit last ended; 0: never.
};

}  // namespace widerow
