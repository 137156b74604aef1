// An immutable value that is replaced whole while others read it. What std::atomic<std::shared_ptr> is for; libstdc++
// 12's unlocks its load with relaxed order, which is a data race to the letter and to ThreadSanitizer. Those who come back
// often keep what they have loaded and look at version() alone.
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
  // Another one with each Store, and none that another Published has or had; never 0. What is loaded after it has been asked
  // for is at least as new.
  uint64_t version() const { return version_.load(std::memory_order_acquire); }
  void Store(std::shared_ptr<const T> value) {
    MutexLock lock(mutex_);
    value_.swap(value);
    version_.store(NextVersion(), std::memory_order_release);
    // The old value, now in `value`, goes after the lock if nobody else holds it.
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
