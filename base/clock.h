// The database's source of time. Everything that needs timestamps or expiry asks a Clock, so that tests control time
// instead of sleeping.
#pragma once

#include <atomic>
#include <cstdint>

namespace widerow {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t NowMicros() = 0;  // Since 1970-01-01 UTC.
  // Returns the time for comparisons with expiry. It may be a few milliseconds behind NowMicros, but costs less.
  virtual int64_t NowSeconds() { return NowMicros() / 1'000'000; }
};

class SystemClock final : public Clock {
 public:
  int64_t NowMicros() override;
  int64_t NowSeconds() override;
};

class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t now_micros) : now_micros_(now_micros) {}
  int64_t NowMicros() override { return now_micros_.load(); }
  void Set(int64_t now_micros) { now_micros_.store(now_micros); }

 private:
  std::atomic<int64_t> now_micros_;
};

}  // namespace widerow
