#include "net/hbase/service/nonces.h"

#include "base/checksum.h"

namespace widerow::hbase {

namespace {

uint64_t KeyOf(uint64_t group, uint64_t nonce) {
  const uint64_t both[] = {group, nonce};
  return Hash64({reinterpret_cast<const char*>(both), sizeof both});
}

}  // namespace

bool Nonces::Begin(uint64_t group, uint64_t nonce) {
  const Key key = KeyOf(group, nonce);
  MutexLock lock(mutex_);
  while (running_.contains(key)) ended_.Wait(mutex_);
  return !applied_.contains(key) && running_.insert(key).second;
}

void Nonces::End(uint64_t group, uint64_t nonce, bool applied) {
  const Key key = KeyOf(group, nonce);
  {
    MutexLock lock(mutex_);
    running_.erase(key);
    if (applied && applied_.insert(key).second) order_.push_back(key);
    if (order_.size() > kRemembered) {
      applied_.erase(order_.front());
      order_.pop_front();
    }
  }
  ended_.NotifyAll();
}

}  // namespace widerow::hbase
