// Measures how long writes wait, and for what (WaitStage in statistics.h). The writer's thread adds times; any thread
// may read the sums.
#pragma once

#include <chrono>

#include "storage/statistics.h"

namespace widerow {

class WriteWaits {
 public:
  using Clock = std::chrono::steady_clock;

  void Add(WaitStage stage, Clock::duration wait, uint64_t writes = 1) {
    const int64_t micros = std::chrono::duration_cast<std::chrono::microseconds>(wait).count();
    stages_[static_cast<size_t>(stage)].Add(micros < 0 ? 0 : static_cast<uint64_t>(micros), writes);
  }
  LatencyHistogram::Counts Read(WaitStage stage) const { return stages_[static_cast<size_t>(stage)].Read(); }

 private:
  std::array<LatencyHistogram, kWaitStages> stages_;
};

// Adds up the pauses of the writer's thread. A write reads the sum when it is queued and again when it leaves the
// queue. The difference is the part of its wait that was a pause. The queue's lock guards this object.
class PauseClock {
 public:
  using Clock = WriteWaits::Clock;

  void Begin(Clock::time_point now) { begun_ = now; }
  void End(Clock::time_point now) {
    ended_ += now - begun_;
    begun_ = kNever;
  }
  Clock::duration PausedBefore(Clock::time_point now) const { return now > begun_ ? ended_ + (now - begun_) : ended_; }

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();
  Clock::duration ended_{0};
  Clock::time_point begun_ = kNever;
};

}  // namespace widerow
