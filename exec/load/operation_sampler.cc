#include "exec/load/operation_sampler.h"

namespace widerow {

uint32_t OperationSampler::Draw(Slot& slot) {
  const uint32_t stands_for = slot.gap.load(std::memory_order_relaxed);
  const int64_t second = clock_.NowSeconds();
  uint32_t each_left = slot.each_left.load(std::memory_order_relaxed);
  if (slot.second.exchange(second, std::memory_order_relaxed) != second) each_left = kEachPerSecond;
  uint32_t gap = 1;
  if (each_left > 0) {
    --each_left;
  } else {
    uint64_t random = slot.random.load(std::memory_order_relaxed);  // xorshift64
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    slot.random.store(random, std::memory_order_relaxed);
    gap = 1 + static_cast<uint32_t>((random >> 32) % kGapMax);
  }
  slot.each_left.store(each_left, std::memory_order_relaxed);
  slot.gap.store(gap, std::memory_order_relaxed);
  slot.left.store(gap, std::memory_order_relaxed);
  return stands_for;
}

}  // namespace widerow
