// A small number for each thread, in the order in which they first ask: to spread what threads count over several places, so
// that they do not write to one cache line.
#pragma once

#include <atomic>
#include <cstdint>

namespace widerow {

// From 1.
inline uint32_t ThreadNumber() {
  static std::atomic<uint32_t> threads{0};
  thread_local constinit uint32_t mine = 0;
  if (mine == 0) [[unlikely]] mine = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

}  // namespace widerow
