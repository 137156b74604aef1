// Who is connected: what system_views.clients lists. A connection holds its entry as long as it lives; the registry only
// looks. Thread-safe.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow {

struct ClientFacts {
  Bytes address;  // As inet has it: 4 or 16 bytes.
  int32_t port = 0;
  std::string stage = "initial";  // Then "ready".
  std::map<std::string, std::string> options;  // What STARTUP gave; DRIVER_NAME and DRIVER_VERSION are shown apart.
  std::string keyspace;  // Of USE; empty: none.
  int32_t protocol_version = 0;
  std::string username = "anonymous";  // Of who has logged in.
};

class ConnectionRegistry {
 public:
  // One connection's place in the list; gone from it when destroyed. Any thread.
  class Entry {
   public:
    explicit Entry(ClientFacts facts) : facts_(std::move(facts)) {}
    void Set(ClientFacts facts) WR_EXCLUDES(mutex_) {
      MutexLock lock(mutex_);
      facts_ = std::move(facts);
    }
    ClientFacts facts() const WR_EXCLUDES(mutex_) {
      MutexLock lock(mutex_);
      return facts_;
    }
    void CountRequest() { requests_.fetch_add(1, std::memory_order_relaxed); }
    uint64_t requests() const { return requests_.load(std::memory_order_relaxed); }

   private:
    mutable Mutex mutex_;
    ClientFacts facts_ WR_GUARDED_BY(mutex_);
    std::atomic<uint64_t> requests_{0};
  };

  std::shared_ptr<Entry> Add(ClientFacts facts) WR_EXCLUDES(mutex_);
  // Those connected now, in the order in which they came.
  std::vector<std::shared_ptr<const Entry>> List() const WR_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::list<std::weak_ptr<Entry>> entries_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
