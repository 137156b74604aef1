// The thread that folds frozen memtables into LMDB, sweeps, and makes segments of the commit log. Everything
// that changes the data file after the start runs on it. Writes wait for it only if they are faster than its folds;
// Flush, notes and bulk loads wait for it always. The engine owns it.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/fold/store_writer.h"
#include "storage/log/commit_log.h"
#include "storage/read/view.h"
#include "storage/statistics.h"

namespace widerow {

// Any thread may call the public functions. Only the folder's thread touches the StoreWriter.
class Folder {
 public:
  struct Options {
    bool background_sweep = true;
    int sweep_percent = kSweepPercentDefault;
    std::function<void(const std::string&)> log;
  };
  struct Shared {
    SharedReadState& state;
    SnapshotPool& snapshots;
    CommitLog& log;
  };

  Folder(Shared shared, std::unique_ptr<StoreWriter> writer, Options options);
  // Tries to fold the frozen memtable, runs the waiting jobs, and stores the last timestamp.
  ~Folder();

  // Tells the thread that a memtable is frozen, or that the log needs a segment.
  void Wake();
  // Waits until no memtable is frozen. Returns the error of the last attempt to fold if it failed.
  Status WaitUntilFolded();
  // Waits until no memtable is frozen (true) or `interrupted` returns true (false). Code that makes `interrupted`
  // return true calls Interrupt() afterwards. Errors: those of WaitUntilFolded().
  Result<bool> WaitUntilFolded(const std::function<bool()>& interrupted);
  void Interrupt();
  // Returns the error of the last attempt to fold; nullopt if it succeeded.
  std::optional<Error> failure();
  // Returns the progress of the fold under way, 0 to 1; 1 if there is none.
  double progress() const { return progress_.load(std::memory_order_relaxed); }
  // Returns the duration of a fold, estimated from the current fold or from the previous one.
  double fold_seconds() const { return fold_seconds_.load(std::memory_order_relaxed); }
  // Fills in the fields of `out` about folds.
  void Describe(StorageStatistics& out) const;
  // Sets the function to call when a fold would allow much of the active memtable to be purged. Once a call with null
  // has returned, the previous function is never called again.
  void OnFoldWanted(std::function<void()> wanted);
  // Runs `job` on the folder's thread and waits for it. The job runs when no frozen memtable is left to fold, or the
  // last attempt to fold failed. Errors: the job's; kServerError if the database is closing.
  Status Run(std::function<Status(StoreWriter&)> job);

 private:
  struct Job {
    std::function<Status(StoreWriter&)> run;
    std::function<void(Status)> done;
  };

  void Loop();
  // Folds one slice. False if there is nothing to fold, the attempt fails, or it is too early after a failed attempt.
  bool Fold();
  void Failed(const Error& error);
  void NoteProgress();
  void LookAfterLog();
  // Sweeps one slice and sets next_sweep_.
  void Sweep();
  void LookAtMemtable();

  const Shared shared_;
  const std::unique_ptr<StoreWriter> writer_;
  const Options options_;
  std::atomic<double> progress_{1}, fold_seconds_{0};
  std::atomic<uint64_t> folds_{0}, fold_micros_{0};
  // Used by the thread only.
  MemtablePtr folding_;
  StoreWriter::Fold fold_ = {};
  std::chrono::steady_clock::time_point fold_begun_, next_try_, next_sweep_, next_look_;
  std::string sweep_failure_;  // The error of the last slice, logged once.

  Mutex mutex_;
  TimedCondVar wake_;  // Wakes the thread.
  CondVar folded_;     // Signals that a fold has ended or failed.
  bool woken_ WR_GUARDED_BY(mutex_) = false;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::optional<Error> failure_ WR_GUARDED_BY(mutex_);  // The error of the last attempt to fold.
  std::deque<Job> jobs_ WR_GUARDED_BY(mutex_);
  std::function<void()> fold_wanted_ WR_GUARDED_BY(mutex_);
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
