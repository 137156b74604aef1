#include "exec/access/login_limits.h"

#include <algorithm>

namespace widerow {

Bytes FailedLogins::KeyOf(ByteView address) {
  constexpr std::string_view kMapped("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
  if (address.size() == 16 && address.starts_with(kMapped)) return Bytes(address.substr(12));
  return Bytes(address.substr(0, 8));
}

double FailedLogins::LeftAt(const Entry& entry, Clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - entry.at).count();
  return std::min(limits_.failures_burst, entry.left + seconds * limits_.failures_per_second);
}

bool FailedLogins::Blocked(ByteView address, Clock::time_point now) const {
  const auto found = by_key_.find(KeyOf(address));
  return found != by_key_.end() && LeftAt(*found->second, now) < 1;
}

void FailedLogins::Add(ByteView address, Clock::time_point now) {
  const Bytes key = KeyOf(address);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    order_.push_front({.key = key, .left = limits_.failures_burst, .at = now});
    by_key_[key] = order_.begin();
  } else {
    order_.splice(order_.begin(), order_, found->second);
  }
  Entry& entry = order_.front();
  entry.left = std::max(0.0, LeftAt(entry, now) - 1);
  entry.at = now;
  if (order_.size() > limits_.addresses_max) {
    by_key_.erase(order_.back().key);
    order_.pop_back();
  }
}

}  // namespace widerow
