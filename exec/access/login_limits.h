// What guessing passwords costs whoever guesses: an address that has failed often waits. Not thread-safe.
#pragma once

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>

#include "base/bytes.h"

namespace widerow {

struct LoginLimits {
  size_t threads = 2;               // That hash passwords: more of it is not done at once, whoever asks.
  size_t waiting_max = 1'024;        // Logins in all, before further ones are answered with Overloaded.
  size_t waiting_of_address_max = 256;
  double failures_burst = 20;       // Of an address, before it has to wait,
  double failures_per_second = 1;   // and how many more it may have later.
  size_t addresses_max = 4'096;     // Remembered; those that failed longest ago are forgotten.
  size_t verified_max = 4'096;      // Roles whose password need not be hashed again for
  std::chrono::seconds verified_age_max{600};  // so long.
};

// By address. Of IPv6, by the network: whoever has one address there has them all.
class FailedLogins {
 public:
  using Clock = std::chrono::steady_clock;
  explicit FailedLogins(const LoginLimits& limits) : limits_(limits) {}

  // Whether it has to wait.
  bool Blocked(ByteView address, Clock::time_point now) const;
  void Add(ByteView address, Clock::time_point now);
  size_t size() const { return order_.size(); }

  static Bytes KeyOf(ByteView address);

 private:
  struct Entry {
    Bytes key;
    double left = 0;  // Failures it may have at `at`.
    Clock::time_point at;
  };
  double LeftAt(const Entry& entry, Clock::time_point now) const;

  const LoginLimits limits_;
  std::list<Entry> order_;  // The last that failed first.
  std::unordered_map<Bytes, std::list<Entry>::iterator> by_key_;
};

}  // namespace widerow
