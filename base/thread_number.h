// A small number for each thread, in the order in which threads first call ThreadNumber(). Statistics use the number to
// spread the writes of different threads over several cache lines.
#pragma once

#include <atomic>
#include <cstdint>

namespace widerow {

// Returns the calling thread's number, from 1.
inline uint32_t ThreadNumber() {
  static std::atomic<uint32_t> threads{0};
  thread_local constinit uint32_t mine = 0;
  if (mine == 0) [[unlikely]]
    mine = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

}  // namespace widerow
