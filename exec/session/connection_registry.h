// The registry of connected clients, which system_views.clients lists. A connection owns its entry for its lifetime;
// the registry keeps weak pointers. Thread-safe.
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
  Bytes address;  // In the format of inet: 4 or 16 bytes.
  int32_t port = 0;
  std::string stage = "initial";               // Later "ready".
  std::map<std::string, std::string> options;  // From STARTUP; driver name and version have their own columns.
  std::string keyspace;                        // Set by USE; empty: none.
  int32_t protocol_version = 0;
  std::string username = "anonymous";    // The role that has logged in.
  std::string tls_protocol, tls_cipher;  // Empty: without TLS.
};

class ConnectionRegistry {
 public:
  // One connection's entry. A destroyed entry is no longer in the list. Safe on any thread.
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

  // Adds an entry to the list; the caller owns it.
  std::shared_ptr<Entry> Add(ClientFacts facts) WR_EXCLUDES(mutex_);
  // Returns the entries of the connected clients, in order of arrival.
  std::vector<std::shared_ptr<const Entry>> List() const WR_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::list<std::weak_ptr<Entry>> entries_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
