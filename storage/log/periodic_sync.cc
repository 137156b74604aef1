#include "storage/log/periodic_sync.h"

#include <utility>

namespace widerow {

PeriodicSync::PeriodicSync(CommitLog& log, int64_t period_ms, LogFunction say)
    : log_(log), period_ms_(period_ms), say_(std::move(say)), thread_([this] { Loop(); }) {}

PeriodicSync::~PeriodicSync() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

void PeriodicSync::Loop() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      if (!stopping_) wake_.WaitFor(mutex_, period_ms_);
      if (stopping_) return;
    }
    if (const Status synced = log_.Sync(); !synced.ok()) {
      if (say_) say_({LogLevel::kError, "storage", "the commit log: " + synced.error().message});
      return;
    }
  }
}

}  // namespace widerow
