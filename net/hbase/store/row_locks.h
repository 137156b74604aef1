// Locks of rows. A write that reads the row first, or a read in several statements, holds the row's lock alone. Puts
// that read nothing share the lock. Rows whose keys have the same hash have one lock. Thread-safe.
#pragma once

#include <array>
#include <functional>

#include "base/bytes.h"
#include "base/mutex.h"

namespace widerow::hbase {

// A lock that one holder has alone, or that several share. Unlike with a std::shared_mutex, one thread may take the
// lock and another may give it back. This is needed for a put that no thread waits for: it holds the lock until it is
// stored. A thread that waits to hold the lock alone comes before all later ones that want to share it.
class RowLock {
 public:
  // Takes the lock alone. std::unique_lock calls this function.
  void lock() {
    MutexLock guard(mutex_);
    ++waiting_;
    while (alone_ || shared_ > 0) changed_.Wait(mutex_);
    --waiting_;
    alone_ = true;
  }
  void unlock() {
    MutexLock guard(mutex_);
    alone_ = false;
    changed_.NotifyAll();
  }

  void LockShared() {
    MutexLock guard(mutex_);
    while (!MayShare()) changed_.Wait(mutex_);
    ++shared_;
  }
  // Returns false if the lock cannot be had at once.
  bool TryLockShared() {
    MutexLock guard(mutex_);
    if (!MayShare()) return false;
    ++shared_;
    return true;
  }
  void UnlockShared() {
    MutexLock guard(mutex_);
    if (--shared_ == 0 && waiting_ > 0) changed_.NotifyAll();
  }

 private:
  bool MayShare() const WR_REQUIRES(mutex_) { return !alone_ && waiting_ == 0; }

  Mutex mutex_;
  CondVar changed_;
  size_t shared_ WR_GUARDED_BY(mutex_) = 0;
  size_t waiting_ WR_GUARDED_BY(mutex_) = 0;  // The threads that wait to hold the lock alone.
  bool alone_ WR_GUARDED_BY(mutex_) = false;
};

class RowLocks {
 public:
  RowLock& Of(ByteView table, ByteView row) {
    const size_t hash = std::hash<ByteView>()(row) ^ (std::hash<ByteView>()(table) * 31);
    return locks_[hash % locks_.size()];
  }

 private:
  std::array<RowLock, 1'024> locks_;
};

}  // namespace widerow::hbase
