// An immutable value that is replaced whole while others read it. What std::atomic<std::shared_ptr> is for; libstdc++
// 12's unlocks its load with relaxed order, which is a data race to the letter and to ThreadSanitizer.
#pragma once

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
  void Store(std::shared_ptr<const T> value) {
    MutexLock lock(mutex_);
    value_.swap(value);
    // The old value, now in `value`, goes after the lock if nobody else holds it.
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const T> value_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
