// Remembers the nonces of Increments and Appends for some minutes. A client that has got no answer sends the request
// again with the same nonce; it must not be applied twice. Thread-safe.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "base/mutex.h"

namespace widerow::hbase {

class Nonces {
 public:
  static constexpr size_t kRemembered = 65'536;

  // False if a request with the nonce has been begun before. The nonce 0 is always new.
  bool Begin(uint64_t group, uint64_t nonce) WR_EXCLUDES(mutex_) {
    if (nonce == 0) return true;
    MutexLock lock(mutex_);
    if (!known_.try_emplace({group, nonce}).second) return false;
    order_.emplace_back(group, nonce);
    if (order_.size() > kRemembered) {
      known_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }
  // Forgets the nonce of a request that has failed.
  void Failed(uint64_t group, uint64_t nonce) WR_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    known_.erase({group, nonce});
  }

 private:
  struct Nothing {};
  Mutex mutex_;
  std::map<std::pair<uint64_t, uint64_t>, Nothing> known_ WR_GUARDED_BY(mutex_);
  std::deque<std::pair<uint64_t, uint64_t>> order_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow::hbase
