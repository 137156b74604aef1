#include "storage/large/large_objects.h"

namespace widerow {
namespace {

// If values with this many bytes wait for a fold, the memtable is folded for them.
constexpr uint64_t kBytesWorthAFold = 64u << 20;

}  // namespace

void LargeObjects::Load(uint64_t object, Bytes prefix, uint64_t replayed) {
  MutexLock lock(mutex_);
  entries_[object] = {.prefix = std::move(prefix), .until = replayed, .bytes = kBytesWorthAFold};
}

void LargeObjects::Begin(uint64_t object, Bytes prefix) {
  MutexLock lock(mutex_);
  entries_[object] = {.prefix = std::move(prefix)};
}

void LargeObjects::Written(uint64_t object, uint64_t sequence, uint64_t bytes) {
  MutexLock lock(mutex_);
  const auto found = entries_.find(object);
  // The fold may have stored the reference before this call. In this case the object has no entry any more; or the row
  // has lost the reference since then, and the entry says that the object must be swept.
  if (found == entries_.end() || found->second.until != kUploading) return;
  found->second.until = sequence;
  found->second.bytes = bytes;
}

void LargeObjects::Abandon(uint64_t object) {
  MutexLock lock(mutex_);
  if (const auto found = entries_.find(object); found != entries_.end()) found->second.until = 0;
}

void LargeObjects::Keep(uint64_t object) {
  MutexLock lock(mutex_);
  if (const auto found = entries_.find(object); found != entries_.end()) found->second.until = kUploading;
}

void LargeObjects::Stored(uint64_t object) {
  MutexLock lock(mutex_);
  entries_.erase(object);
}

void LargeObjects::Removed(uint64_t object, Bytes prefix) {
  MutexLock lock(mutex_);
  entries_[object] = {.prefix = std::move(prefix), .until = 0};
}

void LargeObjects::FoldedThrough(uint64_t sequence) {
  MutexLock lock(mutex_);
  folded_ = sequence;
}

bool LargeObjects::MayBeSwept(uint64_t object, const Entry& entry) const {
  return entry.until != kUploading && entry.until <= folded_ && !pins_.contains(object);
}

bool LargeObjects::AnyToSweep() const {
  MutexLock lock(mutex_);
  for (const auto& [object, entry] : entries_) {
    if (MayBeSwept(object, entry)) return true;
  }
  return false;
}

std::optional<LargeObjects::Loose> LargeObjects::NextToSweep() {
  MutexLock lock(mutex_);
  for (auto& [object, entry] : entries_) {
    if (!MayBeSwept(object, entry)) continue;
    entry.sweeping = true;
    return Loose{object, entry.prefix};
  }
  return std::nullopt;
}

void LargeObjects::Swept(uint64_t object) {
  MutexLock lock(mutex_);
  entries_.erase(object);
}

bool LargeObjects::WantsFold() const {
  MutexLock lock(mutex_);
  uint64_t bytes = 0;
  for (const auto& [object, entry] : entries_) {
    if (entry.until != kUploading && entry.until > folded_) bytes += entry.bytes;
  }
  return bytes >= kBytesWorthAFold;
}

bool LargeObjects::Pin(uint64_t object) {
  MutexLock lock(mutex_);
  if (const auto found = entries_.find(object); found != entries_.end() && found->second.sweeping) return false;
  ++pins_[object];
  return true;
}

void LargeObjects::Unpin(uint64_t object) {
  MutexLock lock(mutex_);
  const auto found = pins_.find(object);
  if (--found->second == 0) pins_.erase(found);
}

size_t LargeObjects::count() const {
  MutexLock lock(mutex_);
  return entries_.size();
}

}  // namespace widerow
