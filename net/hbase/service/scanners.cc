#include "net/hbase/service/scanners.h"

namespace widerow::hbase {

void Scanners::CloseExpired(Time now) {
  if (now - checked_ < std::chrono::seconds(1)) return;
  checked_ = now;
  for (auto at = open_.begin(); at != open_.end();) {
    if (now - at->second.used <= kLease) {
      ++at;
      continue;
    }
    bytes_ -= at->second.bytes;
    at = open_.erase(at);
  }
}

Result<uint64_t> Scanners::Add(std::shared_ptr<OpenScanner> scanner) {
  const Time now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  CloseExpired(now);
  if (open_.size() >= kOpenMax || bytes_ >= kBytesMax) {
    return Error{.code = ErrorCode::kOverloaded, .message = "Too many scanners are open"};
  }
  open_[++last_id_] = {.scanner = std::move(scanner), .used = now};
  return last_id_;
}

std::shared_ptr<OpenScanner> Scanners::Find(uint64_t id, const Caller& caller) {
  const Time now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  CloseExpired(now);
  const auto found = open_.find(id);
  if (found == open_.end() || !found->second.scanner->owner().IsSameRole(caller)) return nullptr;
  found->second.used = now;
  return found->second.scanner;
}

void Scanners::SetBytes(uint64_t id, size_t bytes) {
  MutexLock lock(mutex_);
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  bytes_ = bytes_ - found->second.bytes + bytes;
  found->second.bytes = bytes;
}

void Scanners::Close(uint64_t id) {
  MutexLock lock(mutex_);
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  bytes_ -= found->second.bytes;
  open_.erase(found);
}

}  // namespace widerow::hbase
