// Decides which statements are measured. A measured statement is timed, its rows are counted, and a read is put on the
// heat map. A thread measures its first kEachPerSecond statements of every second. It divides the others into groups of
// kGroup, in their order, and measures one of each group, chosen at random. That statement counts for the whole group.
// So a regular pattern in the program's statements does not bias the sample, and the error of a sum has a bound
// (exec/heat/read_bound.h).
//
// Thread-safe. Skipping a statement costs about 25 instructions, with the clock.
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
  static constexpr uint32_t kGroup = 64;

  explicit OperationSampler(Clock& clock) : clock_(clock) {}

  // Returns the number of statements that this one counts for: 1, kGroup, or 0 if it is not measured.
  uint32_t Take() {
    Slot& slot = slots_[ThreadNumber() % kSlots];
    const int64_t second = clock_.NowSeconds();
    if (slot.second.load(std::memory_order_relaxed) != second) [[unlikely]]
      Begin(slot, second);
    const uint32_t number = slot.number.load(std::memory_order_relaxed);
    slot.number.store(number + 1, std::memory_order_relaxed);
    if (number < slot.next.load(std::memory_order_relaxed)) [[likely]]
      return 0;
    return Measure(slot, number);
  }
  // Returns the number of statements, since the start, that were not measured. Groups that have begun count as
  // complete. The sum of Take's results differs from the number of statements by at most this number.
  uint64_t skipped() const;

 private:
  static constexpr size_t kSlots = 32;
  // The state of one thread. If several threads share it, a few statements are counted twice or not at all.
  struct alignas(64) Slot {
    std::atomic<int64_t> second{-1};
    std::atomic<uint32_t> number{0};   // The number of statements in this second.
    std::atomic<uint32_t> next{0};     // The number of the next statement to be measured.
    std::atomic<uint64_t> skipped{0};  // The statements skipped in earlier seconds.
    std::atomic<uint64_t> random{0x9E37'79B9'7F4A'7C15};
  };
  static uint64_t SkippedOf(uint32_t number) {
    return number <= kEachPerSecond ? 0 : (number - kEachPerSecond + kGroup - 1) / kGroup * (kGroup - 1);
  }
  static void Begin(Slot& slot, int64_t second);
  static uint32_t Measure(Slot& slot, uint32_t number);

  Clock& clock_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace widerow
