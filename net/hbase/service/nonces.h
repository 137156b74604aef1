// Remembers the nonces of Increments and Appends. A client that has got no answer sends the request again with the same
// nonce. The server must not apply the request twice. Thread-safe.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <deque>
#include <set>

#include "base/mutex.h"

namespace widerow::hbase {

class Nonces {
 public:
  // The number of nonces that are remembered. A client waits a minute for an answer before it sends a request again.
  // The server needs more than a minute for this many requests. So a nonce is still known when its request comes again.
  static constexpr size_t kRemembered = 1u << 20;

  // Returns true if the request is to be applied; the caller must then call End. Returns false if the request has been
  // applied before. While a request with the same nonce is being applied, the call waits.
  bool Begin(uint64_t group, uint64_t nonce) WR_EXCLUDES(mutex_);
  // Ends what Begin has begun. A request that was not applied may be sent again with the same nonce.
  void End(uint64_t group, uint64_t nonce, bool applied) WR_EXCLUDES(mutex_);

 private:
  using Key = uint64_t;  // A hash of group and nonce. Both are random, so a collision is as rare as equal nonces.

  Mutex mutex_;
  CondVar ended_;
  std::set<Key> running_ WR_GUARDED_BY(mutex_);
  absl::flat_hash_set<Key> applied_ WR_GUARDED_BY(mutex_);
  std::deque<Key> order_ WR_GUARDED_BY(mutex_);  // The keys of applied_, the oldest first.
};

}  // namespace widerow::hbase
