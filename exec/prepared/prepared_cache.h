// A cache of planned statements. They are found by keyspace and text, or by id. Bounded: the least recently used
// statement is removed first. Thread-safe.
#pragma once

#include <list>
#include <string>

#include "base/bytes_map.h"
#include "base/mutex.h"
#include "exec/prepared/prepared_statement.h"

namespace widerow {

class PreparedCache {
 public:
  explicit PreparedCache(size_t capacity) : capacity_(capacity) {}

  // Returns the statement that was prepared from `text` in `keyspace`; a fully qualified one may come from any
  // keyspace. Null if there is none.
  PreparedPtr Find(std::string_view text, std::string_view keyspace) WR_EXCLUDES(mutex_);
  PreparedPtr FindId(ByteView id) WR_EXCLUDES(mutex_);
  // Adds the statement, or replaces the one of its keyspace and text. If columns or markers differ from the replaced
  // statement's, the new one notes it (columns_changed, markers_changed). Every statement that clients are told about
  // comes through here, so no change is missed.
  PreparedPtr Insert(std::shared_ptr<PreparedStatement> statement) WR_EXCLUDES(mutex_);

 private:
  using Entries = std::list<PreparedPtr>;
  // Ids are hashes, so they need no further hashing. Only ids that this server has computed are inserted, so nobody can
  // make them collide.
  struct IdHash {
    using is_transparent = void;
    size_t operator()(ByteView id) const { return id.size() < sizeof(size_t) ? 0 : ReadBigEndian<size_t>(id.data()); }
  };
  void NoteChanges(const PreparedStatement& before, PreparedStatement& next) WR_REQUIRES(mutex_);
  static std::string Key(std::string_view text, std::string_view keyspace);

  const size_t capacity_;
  Mutex mutex_;
  uint64_t descriptions_ WR_GUARDED_BY(mutex_) = 0;
  Entries entries_ WR_GUARDED_BY(mutex_);  // Most recently used first.
  BytesMap<Entries::iterator> by_key_ WR_GUARDED_BY(mutex_);
  absl::flat_hash_map<Bytes, Entries::iterator, IdHash, std::equal_to<>> by_id_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
