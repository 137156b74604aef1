// An immutable value that is replaced as a whole while other threads read it. This is the purpose of
// std::atomic<std::shared_ptr>, but libstdc++ 12 releases the lock of its load with relaxed order, which is a data race
// by the standard and for ThreadSanitizer. Frequent readers keep the loaded value and compare version() only.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"

namespace widerow {

template <typename T>
class Published {  // Thread-safe.
 public:
  explicit Published(std::shared_ptr<const T> value = nullptr) : value_(std::move(value)) {}

  std::shared_ptr<const T> Load() const {
    MutexLock lock(mutex_);
    return value_;
  }
  // Returns a number that changes with each Store. It is unique over all Published objects and never 0. A value loaded
  // after a call of version() is at least as new as that version.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  void Store(std::shared_ptr<const T> value) {
    MutexLock lock(mutex_);
    value_.swap(value);
    version_.store(NextVersion(), std::memory_order_release);
    // The old value, now in `value`, is destroyed after the lock is released, if nobody else holds it.
  }

 private:
  static uint64_t NextVersion() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  mutable Mutex mutex_;
  std::shared_ptr<const T> value_ WR_GUARDED_BY(mutex_);
  std::atomic<uint64_t> version_{NextVersion()};
};

}  // namespace widerow
