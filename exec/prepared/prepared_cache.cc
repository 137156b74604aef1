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
    if (found != by_key_.end() && !found->second->statement->fully_qualified) return nullptr;
  }
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->statement;
}

PreparedPtr PreparedCache::FindId(ByteView id) {
  MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  if (found->second != entries_.begin()) entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->statement;
}

void PreparedCache::NoteChanges(const PreparedStatement& before, PreparedStatement& next) {
  const bool same_columns = before.columns_id == next.columns_id, same_markers = before.markers_id == next.markers_id;
  next.columns_changed = before.columns_changed || !same_columns;
  next.markers_changed = before.markers_changed || !same_markers;
  next.description = same_columns && same_markers ? before.description : ++descriptions_;
}

void PreparedCache::DropSome(Entries& dropped) {
  while (entries_.size() > statements_max_ || (bytes_ > bytes_max_ && entries_.size() > 1)) {
    const auto last = std::prev(entries_.end());
    const PreparedStatement& statement = *last->statement;
    bytes_ -= last->bytes;
    by_key_.erase(Key(statement.text, statement.keyspace));
    // Keyspace "a" with text "bc" has the same id as keyspace "ab" with text "c". The newer of the two is found by the
    // id.
    if (const auto named = by_id_.find(statement.id); named != by_id_.end() && named->second == last)
      by_id_.erase(named);
    dropped.splice(dropped.begin(), entries_, last);
  }
}

PreparedPtr PreparedCache::Insert(std::shared_ptr<PreparedStatement> statement) {
  std::string key = Key(statement->text, statement->keyspace);
  Entry entry{.statement = nullptr, .bytes = statement->HeldBytes() + key.size()};
  // Statements that are replaced or dropped are destroyed after the lock is released, because a plan may be large.
  Entries dropped;
  MutexLock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) {
    NoteChanges(*found->second->statement, *statement);
  } else {
    statement->description = ++descriptions_;
  }
  const PreparedPtr kept = std::move(statement);
  entry.statement = kept;
  bytes_ += entry.bytes;
  if (found != by_key_.end()) {
    bytes_ -= found->second->bytes;
    dropped.push_back(std::exchange(*found->second, std::move(entry)));
    entries_.splice(entries_.begin(), entries_, found->second);
  } else {
    entries_.push_front(std::move(entry));
    by_key_.emplace(std::move(key), entries_.begin());
    by_id_.insert_or_assign(kept->id, entries_.begin());
  }
  DropSome(dropped);
  return kept;
}

}  // namespace widerow
