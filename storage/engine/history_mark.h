// The id of the present history. A history is a period in which the commit log was kept without a gap, so that an
// incremental backup can follow an earlier one. The id is stored as a note. A process that does not keep the log
// removes the note. Thread-safe.
#pragma once

#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/uuid.h"
#include "storage/storage_engine.h"

namespace widerow {

inline constexpr ByteView kHistoryNote = "history";

class HistoryMark {
 public:
  std::optional<Uuid> id() const {
    MutexLock lock(mutex_);
    return id_;
  }
  void Set(std::optional<Uuid> id) {
    MutexLock lock(mutex_);
    id_ = id;
  }
  // Returns the note that stores the id and the number of bytes of the log to keep.
  StorageNote Note(uint64_t keep_bytes) const {
    StorageNote note{.key = Bytes(kHistoryNote), .value = {}};
    const std::optional<Uuid> id = this->id();
    if (!id) return note;
    note.value = Bytes(id->view());
    AppendBigEndian(*note.value, keep_bytes);
    return note;
  }

 private:
  mutable Mutex mutex_;
  std::optional<Uuid> id_ WR_GUARDED_BY(mutex_);
};

// The end of the last finished backup. Thread-safe.
class FinishedBackup {
 public:
  void Store(uint64_t through, int64_t seconds) {
    MutexLock lock(mutex_);
    value_ = {through, seconds};
  }
  std::pair<uint64_t, int64_t> Load() const {
    MutexLock lock(mutex_);
    return value_;
  }

 private:
  mutable Mutex mutex_;
  std::pair<uint64_t, int64_t> value_ WR_GUARDED_BY(mutex_) = {0, 0};
};

}  // namespace widerow
