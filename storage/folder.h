// The thread that brings frozen memtables into LMDB, sweeps, and looks after the commit log's segments. No client waits for
// it, but writers that outrun it.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/log/commit_log.h"
#include "storage/statistics.h"
#include "storage/store_writer.h"
#include "storage/view.h"

namespace widerow {

class Folder {  // Any thread may call it; only its thread touches the StoreWriter.
 public:
  struct Options {
    bool background_sweep = true;
    int sweep_percent = kSweepPercentDefault;
    int64_t sync_period_ms = 0;  // 0: the log is synced by others.
    std::function<void(const std::string&)> log;
  };
  struct Shared {
    SharedReadState& state;
    SnapshotPool& snapshots;
    CommitLog& log;
  };

  Folder(Shared shared, std::unique_ptr<StoreWriter> writer, Options options);
  // Folds what is frozen, if it can, and stores the last timestamp.
  ~Folder();

  // There is something to do: a frozen memtable, a log that has grown.
  void Wake();
  // Waits until no memtable is frozen. Fails if folding does for now.
  Status WaitUntilFolded();
  // The same, but answers false as soon as `interrupted` is true; who makes it true calls Interrupt() then.
  Result<bool> WaitUntilFolded(const std::function<bool()>& interrupted);
  void Interrupt();
  // How far the fold under way has come, 0 to 1; 1 if there is none.
  double progress() const { return progress_.load(std::memory_order_relaxed); }
  // What a fold takes, going by this one or the one before.
  double fold_seconds() const { return fold_seconds_.load(std::memory_order_relaxed); }
  // Fills in what concerns folds.
  void Describe(StorageStatistics& out) const;
  // `wanted` is called when the memtable holds much that could be purged if it were folded. Null: no more, on return.
  void OnFoldWanted(std::function<void()> wanted);
  // Runs `job` on the folder's thread, after what is frozen now, and waits for it.
  Status Run(std::function<Status(StoreWriter&)> job);

 private:
  struct Job {
    std::function<Status(StoreWriter&)> run;
    std::function<void(Status)> done;
  };

  void Loop();
  // One slice of the fold. False if there is nothing to fold, or not now.
  bool Fold();
  void Failed(const Error& error);
  void NoteProgress();
  void LookAfterLog();
  // One slice; sets when the next one may come.
  void Sweep();
  void LookAtMemtable();

  const Shared shared_;
  const std::unique_ptr<StoreWriter> writer_;
  const Options options_;
  std::atomic<double> progress_{1}, fold_seconds_{0};
  std::atomic<uint64_t> folds_{0}, fold_micros_{0};
  // The thread's own.
  MemtablePtr folding_;
  StoreWriter::Fold fold_ = {};
  std::chrono::steady_clock::time_point fold_begun_, next_try_, next_sync_, next_sweep_, next_look_;

  Mutex mutex_;
  CondVar wake_;    // The thread's.
  CondVar folded_;  // A fold has ended or failed.
  bool woken_ WR_GUARDED_BY(mutex_) = false;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::optional<Error> failure_ WR_GUARDED_BY(mutex_);  // Of the last attempt to fold.
  std::deque<Job> jobs_ WR_GUARDED_BY(mutex_);
  std::function<void()> fold_wanted_ WR_GUARDED_BY(mutex_);
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
