#include "exec/prepared_cache.h"

namespace widerow {

std::string Engine::PreparedCache::Key(std::string_view text, std::string_view keyspace) {
  std::string key(keyspace);
  key.push_back('\0');
  key.append(text);
  return key;
}

PreparedPtr Engine::PreparedCache::Find(std::string_view text, std::string_view keyspace) {
  const std::string key = Key(text, keyspace);
  MutexLock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return *found->second;
}

PreparedPtr Engine::PreparedCache::FindId(ByteView id) {
  MutexLock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  if (found->second != entries_.begin()) entries_.splice(entries_.begin(), entries_, found->second);
  return *found->second;
}

void Engine::PreparedCache::Insert(PreparedPtr statement) {
  std::string key = Key(statement->text, statement->keyspace);
  MutexLock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    *found->second = std::move(statement);
    entries_.splice(entries_.begin(), entries_, found->second);
    return;
  }
  entries_.push_front(std::move(statement));
  by_key_.emplace(std::move(key), entries_.begin());
  by_id_.insert_or_assign(entries_.front()->id, entries_.begin());
  if (entries_.size() <= capacity_) return;
  by_key_.erase(Key(entries_.back()->text, entries_.back()->keyspace));
  const auto last = std::prev(entries_.end());
  // Keyspace "a" with text "bc" has the id of keyspace "ab" with text "c": the newer holds it.
  if (const auto named = by_id_.find((*last)->id); named != by_id_.end() && named->second == last) by_id_.erase(named);
  entries_.pop_back();
}

}  // namespace widerow
