#include "exec/virtual/generators.h"
#include "storage/statistics.h"

namespace widerow {

void WriteWaitsRows(const VirtualContext& context, VirtualRows& rows) {
  const StorageStatistics statistics = context.storage.Statistics();
  const auto millis = [](uint64_t micros) { return static_cast<double>(micros) / 1000; };
  for (size_t stage = 0; stage < kWaitStages; ++stage) {
    const LatencyHistogram::Counts& waits = statistics.waits[stage];
    rows.Add()
        .Text("stage", kWaitStageNames[stage])
        .Integer("count", static_cast<int64_t>(waits.count))
        .Double("max_ms", millis(waits.max_micros))
        .Double("p50th_ms", millis(waits.MicrosAt(0.5)))
        .Double("p99th_ms", millis(waits.MicrosAt(0.99)))
        .Double("p999th_ms", millis(waits.MicrosAt(0.999)))
        .Double("total_ms", millis(waits.total_micros));
  }
}

}  // namespace widerow
