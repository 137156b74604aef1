// Marks the base tables whose indexes and views may have stale rows: rows whose base rows a large deletion has removed
// (storage/derived_writes.h). The mark of a table is the sequence number of the last write with such a deletion. Marks
// survive a restart: a fold stores them as notes in the data file, and the replay of the log makes the later ones
// again. The engine owns this object. Thread-safe.
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
  // Removes the mark of a table and returns true. If the mark is greater than `through`, leaves it and returns false.
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

// The key of the note that stores a mark begins with this text. The table's storage id follows. The value of the note
// is the mark.
inline constexpr ByteView kStaleNote = "stale";
StorageNote StaleNote(StorageId table, uint64_t sequence);
// Reads what StaleNote has made. Returns false for any other note.
bool TakeStaleNote(const StorageNote& note, StorageId& table, uint64_t& sequence);

}  // namespace widerow
