// Histograms of the time that statements take. LoadRecorder measures some of the statements, and each of these counts
// for several (operation_sampler.h). So at high rates the shape of a histogram is an estimate. Its count is the number
// of statements, with an error of less than 64 for each thread. Thread-safe.
#pragma once

#include <array>
#include <string_view>

#include "base/latency_histogram.h"
#include "base/mutex.h"

namespace widerow {

// The kinds of statements over stored tables.
enum class StatementKind : uint8_t {
  kRead,   // SELECT: the time of one page.
  kWrite,  // INSERT, UPDATE, DELETE, and BATCH as one text: the time until the answer.
  kBatch,  // A batch of prepared statements or texts that a client has put together.
};
inline constexpr std::array<std::string_view, 3> kStatementKindNames = {"read", "write", "batch"};

class StatementTimes {
 public:
  void Add(StatementKind kind, uint64_t micros, uint32_t stands_for) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    histograms_[static_cast<size_t>(kind)].Add(micros, stands_for);
  }
  LatencyHistogram::Counts Read(StatementKind kind) const WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return histograms_[static_cast<size_t>(kind)].Read();
  }

 private:
  mutable Mutex mutex_;
  std::array<LatencyHistogram, kStatementKindNames.size()> histograms_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
