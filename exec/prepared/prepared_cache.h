// A cache of planned statements. They are found by keyspace and text, or by id. Their number and their memory are
// bounded: the least recently used statement is removed first. Thread-safe.
#pragma once

#include <list>
#include <string>

#include "base/bytes_map.h"
#include "base/mutex.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

class PreparedCache {
 public:
  // The last statement inserted stays, even if it has more than `bytes_max`.
  PreparedCache(size_t statements_max, size_t bytes_max) : statements_max_(statements_max), bytes_max_(bytes_max) {}

  // Returns the statement that was prepared from `text` in `keyspace`; a fully qualified one may come from any
  // keyspace. Null if there is none.
  PreparedPtr Find(std::string_view text, std::string_view keyspace) WR_EXCLUDES(mutex_);
  PreparedPtr FindId(ByteView id) WR_EXCLUDES(mutex_);
  // Adds the statement, or replaces the one of its keyspace and text. If columns or markers differ from the replaced
  // statement's, the new one notes it (columns_changed, markers_changed). Every statement that clients are told about
  // comes through here, so no change is missed.
  PreparedPtr Insert(std::shared_ptr<PreparedStatement> statement) WR_EXCLUDES(mutex_);

 private:
  struct Entry {
    PreparedPtr statement;
    size_t bytes = 0;
  };
  using Entries = std::list<Entry>;
  // Ids are MD5 hashes, so their first bytes serve as hash values. Only ids that this server has computed are inserted.
  struct IdHash {
    using is_transparent = void;
    size_t operator()(ByteView id) const { return id.size() < sizeof(size_t) ? 0 : ReadBigEndian<size_t>(id.data()); }
  };
  void NoteChanges(const PreparedStatement& before, PreparedStatement& next) WR_REQUIRES(mutex_);
  static std::string Key(std::string_view text, std::string_view keyspace);
  // Moves the least recently used statements to `dropped`, until the others are within the bounds.
  void DropSome(Entries& dropped) WR_REQUIRES(mutex_);

  const size_t statements_max_, bytes_max_;
  Mutex mutex_;
  uint64_t descriptions_ WR_GUARDED_BY(mutex_) = 0;
  size_t bytes_ WR_GUARDED_BY(mutex_) = 0;  // Of all entries.
  Entries entries_ WR_GUARDED_BY(mutex_);   // Most recently used first.
  BytesMap<Entries::iterator> by_key_ WR_GUARDED_BY(mutex_);
  absl::flat_hash_map<Bytes, Entries::iterator, IdHash, std::equal_to<>> by_id_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
