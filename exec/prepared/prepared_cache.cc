#include "exec/prepared/prepared_cache.h"

namespace widerow {
std::string PreparedCache::Key(std::string_view text, std::string_view keyspace) {
  std::string key(keyspace);
  key.push_back('\0');
  key.append(text);
  return key;
}

PreparedPtr PreparedCache::Find(std::string_view text, std::string_view keyspace) {
  std::string key = Key(text, keyspace);
  MutexLock lock(mutex_);
  auto found = by_key_.find(key);
  if (found == by_key_.end() && !keyspace.empty()) {
    key.erase(0, keyspace.size());  // The text of a fully qualified statement is found without a keyspace.
    found = by_key_.find(key);
    if (found != by_key_.end() && !(*found->second)->fully_qualified) return nullptr;
  }
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return *found->second;
}

PreparedPtr PreparedCache::FindId(ByteView id) {
  MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  if (found->second != entries_.begin()) entries_.splice(entries_.begin(), entries_, found->second);
  return *found->second;
}

void PreparedCache::NoteChanges(const PreparedStatement& before, PreparedStatement& next) {
  const bool same_columns = before.columns_id == next.columns_id, same_markers = before.markers_id == next.markers_id;
  next.columns_changed = before.columns_changed || !same_columns;
  next.markers_changed = before.markers_changed || !same_markers;
  next.description = same_columns && same_markers ? before.description : ++descriptions_;
}

PreparedPtr PreparedCache::Insert(std::shared_ptr<PreparedStatement> statement) {
  std::string key = Key(statement->text, statement->keyspace);
  // A statement that is replaced or dropped is destroyed after the lock is released, because its plan may be large.
  PreparedPtr replaced;
  Entries dropped;
  MutexLock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    NoteChanges(**found->second, *statement);
    replaced = std::exchange(*found->second, std::move(statement));
    entries_.splice(entries_.begin(), entries_, found->second);
    return *found->second;
  }
  statement->description = ++descriptions_;
  const PreparedPtr kept = std::move(statement);
  entries_.push_front(kept);
  by_key_.emplace(std::move(key), entries_.begin());
  by_id_.insert_or_assign(entries_.front()->id, entries_.begin());
  if (entries_.size() <= capacity_) return kept;
  by_key_.erase(Key(entries_.back()->text, entries_.back()->keyspace));
  const auto last = std::prev(entries_.end());
  // Keyspace "a" with text "bc" has the same id as keyspace "ab" with text "c". The id belongs to the newer of the two
  // statements, so it stays if the older one is removed.
  if (const auto named = by_id_.find((*last)->id); named != by_id_.end() && named->second == last) by_id_.erase(named);
  dropped.splice(dropped.begin(), entries_, last);
  return kept;
}

}  // namespace widerow
