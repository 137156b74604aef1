#include "exec/load/operation_sampler.h"

namespace widerow {

void OperationSampler::Begin(Slot& slot, int64_t second) {
  slot.skipped.fetch_add(SkippedOf(slot.number.exchange(0, std::memory_order_relaxed)), std::memory_order_relaxed);
  slot.next.store(0, std::memory_order_relaxed);
  slot.second.store(second, std::memory_order_relaxed);
}

uint32_t OperationSampler::Measure(Slot& slot, uint32_t number) {
  if (number + 1 < kEachPerSecond) {
    slot.next.store(number + 1, std::memory_order_relaxed);
    return 1;
  }
  uint64_t random = slot.random.load(std::memory_order_relaxed);  // xorshift64
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  slot.random.store(random, std::memory_order_relaxed);
  // The number of the first statement of the next group. Groups begin after the first kEachPerSecond statements.
  const uint32_t group =
      number < kEachPerSecond ? kEachPerSecond : number + kGroup - (number - kEachPerSecond) % kGroup;
  slot.next.store(group + static_cast<uint32_t>((random >> 32) % kGroup), std::memory_order_relaxed);
  return number < kEachPerSecond ? 1 : kGroup;
}

uint64_t OperationSampler::skipped() const {
  uint64_t skipped = 0;
  for (const Slot& slot : slots_) {
    skipped += slot.skipped.load(std::memory_order_relaxed) + SkippedOf(slot.number.load(std::memory_order_relaxed));
  }
  return skipped;
}

}  // namespace widerow
