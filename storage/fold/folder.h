// The folder: the thread that folds frozen memtables into LMDB, sweeps, and makes segments of the commit log.
// Everything that changes the data file after the start runs on this thread. Writes wait for it only if they come
// faster than it can fold. Flush, notes and bulk loads always wait for it. The engine owns it.
#pragma once

#include <deque>
#include <thread>

#include "base/log.h"
#include "base/mutex.h"
#include "storage/fold/store_writer.h"
#include "storage/log/commit_log.h"
#include "storage/read/view.h"
#include "storage/statistics.h"

namespace widerow {

// Any thread may call the public functions. Only the folder's thread uses the StoreWriter.
class Folder {
 public:
  struct Options {
    bool background_sweep = true;
    int sweep_percent = kSweepPercentDefault;
    LogFunction log;
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
  // Waits until no memtable is frozen. If the last attempt to fold failed, returns its error.
  Status WaitUntilFolded();
  // Waits until no memtable is frozen, and then returns true. If `interrupted` returns true before that, returns false.
  // Whoever makes `interrupted` return true must then call Interrupt(). Errors are those of WaitUntilFolded().
  Result<bool> WaitUntilFolded(const std::function<bool()>& interrupted);
  void Interrupt();
  // Returns the error of the last attempt to fold; nullopt if it succeeded.
  std::optional<Error> failure();
  // Returns the share of the current fold that is done, from 0 to 1. Returns 1 if there is no fold.
  double progress() const { return progress_.load(std::memory_order_relaxed); }
  // Returns the estimated duration of a fold, from the current fold or, if there is none, from the previous one.
  double fold_seconds() const { return fold_seconds_.load(std::memory_order_relaxed); }
  // Sets the fields of `out` about folds.
  void Describe(StorageStatistics& out) const;
  // Sets a function that the folder calls when the active memtable should be folded: much of it could then be purged,
  // or large objects wait for a fold. After a call with null has returned, the previous function is not called any
  // more.
  void OnFoldWanted(std::function<void()> wanted);
  // Runs `job` on the folder's thread and waits for its end. The job begins when no frozen memtable is left, or when
  // the last attempt to fold has failed. Errors: the job's; kServerError if the database is being closed.
  Status Run(std::function<Status(StoreWriter&)> job);

 private:
  struct Job {
    std::function<Status(StoreWriter&)> run;
    std::function<void(Status)> done;
  };

  void Loop();
  // Folds one slice. Returns false if there is nothing to fold, if the attempt fails, or if it is too early for the
  // next attempt after a failed one.
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
  std::string sweep_failure_;  // The last error of a sweep. It is not logged again if the next sweep fails with it.

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
