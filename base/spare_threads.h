// Limits the number of extra threads of all reads in the process: one fewer than there are cores, or one on a single
// core. Safe on any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>

namespace widerow {

// Takes up to `wanted` threads, and gives them back when it is destroyed.
class SpareThreads {
 public:
  explicit SpareThreads(unsigned wanted) {
    unsigned free = free_.load();
    do { taken_ = std::min(wanted, free); } while (!free_.compare_exchange_weak(free, free - taken_));
  }
  ~SpareThreads() { free_ += taken_; }
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;
  unsigned taken() const { return taken_; }

 private:
  static inline std::atomic<unsigned> free_{std::max(std::thread::hardware_concurrency(), 2U) - 1};
  unsigned taken_ = 0;
};

}  // namespace widerow
