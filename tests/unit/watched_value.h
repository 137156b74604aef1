// Values that notice whether a lock is held while they are destroyed. A large value must be destroyed after the lock of
// the table that held it has been released. Otherwise, other threads would wait for the lock meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

namespace widerow {

class Watch {
 public:
  // `use` takes the lock that is watched, and releases it.
  explicit Watch(std::function<void()> use) : use_(std::move(use)) {}

  // Returns a value. When it is destroyed, another thread calls `use`, and the destruction waits for this thread for
  // some seconds. If the lock is held, `use` does not return during the wait.
  template <typename T>
  std::shared_ptr<T> Value(T value) {
    return std::shared_ptr<T>(new T(std::move(value)), [this](T* dying) {
      uses_.push_back(std::async(std::launch::async, use_));
      (uses_.back().wait_for(std::chrono::seconds(20)) == std::future_status::ready ? free_ : locked_) += 1;
      delete dying;
    });
  }
  // Return how many values were destroyed while the lock was free, and while it was held.
  int free() const { return free_; }
  int locked() const { return locked_; }

 private:
  const std::function<void()> use_;
  std::vector<std::future<void>> uses_;
  int free_ = 0, locked_ = 0;
};

}  // namespace widerow
