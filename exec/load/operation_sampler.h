// Which statements are looked at closely: timed, their rows counted, their keys put on the heat map. All of them while they are
// few, about one of 64 where a thread runs more than kEachPerSecond a second; that one then stands for those passed over before
// it, so that sums come out right. Gaps are drawn at random: a program's own rhythm must not decide what is seen.
//
// Thread-safe. What passes over a statement costs some ten instructions.
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
  static constexpr uint32_t kGapMax = 127;  // Gaps are 1 to this, 64 on average.

  explicit OperationSampler(Clock& clock) : clock_(clock) {}

  // 0: pass over it. Otherwise for how many statements this one stands, itself among them.
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
  // Of a thread, or of several: then a few statements are counted twice or not at all.
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
