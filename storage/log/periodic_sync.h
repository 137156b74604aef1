// A thread that syncs the commit log every few milliseconds, for Durability::kPeriodic. Folds and bulk loads run on
// other threads, so they do not delay its syncs.
#pragma once

#include <string>
#include <thread>

#include "base/log.h"
#include "base/mutex.h"
#include "storage/log/commit_log.h"

namespace widerow {

class PeriodicSync {
 public:
  // Syncs `log` every `period_ms` milliseconds; `log` must outlive this object. The first error of a sync breaks the
  // log: it is passed to `say`, which may be empty, and the thread ends.
  PeriodicSync(CommitLog& log, int64_t period_ms, LogFunction say);
  ~PeriodicSync();
  PeriodicSync(const PeriodicSync&) = delete;
  PeriodicSync& operator=(const PeriodicSync&) = delete;

 private:
  void Loop();

  CommitLog& log_;
  const int64_t period_ms_;
  const LogFunction say_;
  Mutex mutex_;
  TimedCondVar wake_;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
