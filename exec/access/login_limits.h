// Limits that make guessing passwords expensive: an address with many failures must wait. Not thread-safe.
#pragma once

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>

#include "base/bytes.h"

namespace widerow {

struct LoginLimits {
  size_t threads = 2;          // Threads that hash passwords, for all clients together.
  size_t waiting_max = 1'024;  // Waiting logins; further ones get Overloaded.
  size_t waiting_of_address_max = 256;
  double failures_burst = 20;      // The number of failures that an address may have at once before it must wait.
  double failures_per_second = 1;  // The number of failures that become allowed again in each second.
  size_t addresses_max = 4'096;    // Remembered addresses. The one whose last failure is oldest is removed first.
  size_t verified_max = 4'096;     // Roles whose password is accepted without hashing.
  std::chrono::seconds verified_age_max{600};  // The time for which a password is accepted without hashing.
};

// Failed logins by address. IPv6 addresses count by network, because one client usually has all addresses of its
// network.
class FailedLogins {
 public:
  using Clock = std::chrono::steady_clock;
  explicit FailedLogins(const LoginLimits& limits) : limits_(limits) {}

  // True if the address must wait.
  bool Blocked(ByteView address, Clock::time_point now) const;
  // Records a failed login.
  void Add(ByteView address, Clock::time_point now);
  size_t size() const { return order_.size(); }

  // Returns the key of an address: the address, or the network of an IPv6 address.
  static Bytes KeyOf(ByteView address);

 private:
  struct Entry {
    Bytes key;
    double left = 0;  // The number of failures that were still allowed at the time `at`.
    Clock::time_point at;
  };
  double LeftAt(const Entry& entry, Clock::time_point now) const;

  const LoginLimits limits_;
  std::list<Entry> order_;  // The most recent failure first.
  std::unordered_map<Bytes, std::list<Entry>::iterator> by_key_;
};

}  // namespace widerow
