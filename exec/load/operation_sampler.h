// Decides which statements are measured: timed, their rows counted, their keys put on the heat map. At low rates all
// statements are measured. If a thread runs more than kEachPerSecond a second, about one in 64 is measured. It also
// counts for the skipped statements before it, so that sums are right on average. Gaps are random, so that a regular
// pattern in the program's statements does not bias the sample.
//
// Thread-safe. Skipping a statement costs about ten instructions.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/thread_number.h"

namespace widerow {

class OperationSampler {
 public:
  static constexpr uint32_t kEachPerSecond = 64;
  static constexpr uint32_t kGapMax = 127;  // Gaps are 1 to kGapMax, 64 on average.

  explicit OperationSampler(Clock& clock) : clock_(clock) {}

  // Returns 0 to skip the statement, otherwise the number of statements that this one counts for, including itself.
  uint32_t Take() {
    Slot& slot = slots_[ThreadNumber() % kSlots];
    const uint32_t left = slot.left.load(std::memory_order_relaxed);
    if (left > 1) [[likely]] {
      slot.left.store(left - 1, std::memory_order_relaxed);
      return 0;
    }
    return Draw(slot);
  }

 private:
  static constexpr size_t kSlots = 32;
  // The state of one thread. If several threads share it, a few statements are counted twice or not at all.
  struct alignas(64) Slot {
    std::atomic<uint32_t> left{0}, gap{1}, each_left{0};
    std::atomic<int64_t> second{0};
    std::atomic<uint64_t> random{0x9E37'79B9'7F4A'7C15};
  };
  uint32_t Draw(Slot& slot);

  Clock& clock_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace widerow
