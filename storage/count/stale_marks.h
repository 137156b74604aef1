// The base tables whose indexes and views may have stale rows: rows whose base rows a large deletion has removed
// (storage/derived_writes.h). The mark of a table is the sequence number of the last such write. Marks survive a
// restart: folds store them as notes, and the replay of the log raises them again. The engine owns this object.
// Thread-safe.
#pragma once

#include <algorithm>
#include <map>

#include "base/mutex.h"
#include "storage/storage_engine.h"

namespace widerow {

class StaleMarks {
 public:
  void Raise(StorageId table, uint64_t sequence) {
    MutexLock lock(mutex_);
    uint64_t& mark = marks_[table];
    mark = std::max(mark, sequence);
  }
  // Removes the mark of a table. False if it is greater than `through`; then it stays.
  bool Lower(StorageId table, uint64_t through) {
    MutexLock lock(mutex_);
    const auto mark = marks_.find(table);
    if (mark != marks_.end() && mark->second > through) return false;
    if (mark != marks_.end()) marks_.erase(mark);
    return true;
  }
  bool Has(StorageId table) const {
    MutexLock lock(mutex_);
    return marks_.contains(table);
  }
  std::map<StorageId, uint64_t> All() const {
    MutexLock lock(mutex_);
    return marks_;
  }

 private:
  mutable Mutex mutex_;
  std::map<StorageId, uint64_t> marks_ WR_GUARDED_BY(mutex_);
};

// The beginning of the key of a mark's note. The table's storage id follows, and the value is the mark.
inline constexpr ByteView kStaleNote = "stale";
StorageNote StaleNote(StorageId table, uint64_t sequence);
// Takes apart the result of StaleNote. False for another note.
bool TakeStaleNote(const StorageNote& note, StorageId& table, uint64_t& sequence);

}  // namespace widerow
