// Counts the bytes of requests and answers that all connections together hold, against one bound. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>

namespace widerow {

class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  // True if `bytes` more would exceed the bound. The held bytes may exceed it, because answers are counted after they
  // have been made.
  bool Exceeds(size_t bytes) const { return held_.load(std::memory_order_relaxed) + bytes > bytes_max_; }
  void Add(size_t bytes) { held_.fetch_add(bytes, std::memory_order_relaxed); }
  void Remove(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t held_bytes() const { return held_.load(std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> held_{0};
};

}  // namespace widerow
