#include "net/hbase/service/scanners.h"

#include <iterator>

namespace widerow::hbase {

namespace {

// The memory for the filters and columns of a scan is estimated as this many times their size in the request.
constexpr size_t kDescriptionCopies = 8;

}  // namespace

void Scanners::CloseExpired(Time now) {
  if (now - checked_ < std::chrono::seconds(1)) return;
  checked_ = now;
  for (auto at = open_.begin(); at != open_.end();) {
    const auto next = std::next(at);
    if (now - at->second.used > kLease) Close(at);
    at = next;
  }
}

void Scanners::Close(Entries::iterator at) {
  bytes_ -= at->second.bytes;
  open_.erase(at);
}

void Scanners::SetBytes(Entry& entry) {
  const size_t bytes = entry.request_bytes + entry.scanner->scanner().held_bytes();
  bytes_ = bytes_ - entry.bytes + bytes;
  entry.bytes = bytes;
}

Result<uint64_t> Scanners::Add(std::shared_ptr<OpenScanner> scanner, size_t request_bytes) {
  request_bytes *= kDescriptionCopies;
  const Time now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  CloseExpired(now);
  if (open_.size() >= kOpenMax || bytes_ + request_bytes > kBytesMax) {
    return Error{.code = ErrorCode::kOverloaded,
                 .message = "Too many scanners are open, or they keep too much",
                 .hint = "close them, or try again after a minute without their use"};
  }
  bytes_ += request_bytes;
  open_[++last_id_] = {
      .scanner = std::move(scanner), .used = now, .request_bytes = request_bytes, .bytes = request_bytes};
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

void Scanners::Keep(uint64_t id) {
  const Time now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  found->second.used = now;
  SetBytes(found->second);
  if (bytes_ <= kBytesMax) return;
  found->second.scanner->scanner().DropRows();
  SetBytes(found->second);
  if (bytes_ > kBytesMax) Close(found);
}

void Scanners::Close(uint64_t id) {
  MutexLock lock(mutex_);
  if (const auto found = open_.find(id); found != open_.end()) Close(found);
}

}  // namespace widerow::hbase
