// What the storage engine has done since its start, and what writes wait for. For system_views.write_waits and GET /metrics;
// what it takes is StorageUsage in engine.h.
#pragma once

#include <array>
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

}  // namespace widerow
