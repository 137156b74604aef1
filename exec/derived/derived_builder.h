// Fills new indexes and views with the rows that follow from existing base rows. A thread reads the base table in
// slices. Each slice is a decide step (storage/mutation.h) on the storage's writer thread, so no write comes between
// reading the base rows and writing the derived rows. Concurrent writes update the derived table as always. If such a
// write has already written a derived row, the build writes the same row again. Each slice sees the base table as it is
// at that moment. After a restart, the build starts again.
//
// A unique index over rows with equal values cannot be built. Then the builder drops it. A slice compares its rows with
// all existing entries: those of the rows built earlier, and those that writes have made since the index was created.
// Writes compare with the same entries. So of two rows with the same value, the one that comes second is found.
//
// If a build fails, for example because the disk is full, other builds go first and this one continues later from where
// it stopped.
#pragma once

#include <chrono>
#include <map>
#include <thread>

#include "base/log.h"
#include "base/mutex.h"
#include "exec/derived/stale_sweep.h"
#include "storage/storage_engine.h"

namespace widerow {

class DerivedBuilder {
 public:
  // Marks the index or view as built in the schema. Returns false if the index or view does not exist any more, or if
  // the table no longer has the rows that it had when `base` was read (HasSameRows).
  using Publish = std::function<Result<bool>(const TablePtr& base, const TableDerivation& built)>;

  // Drops a unique index that cannot be built, because two rows have the same value. Returns false as Publish does.
  using Drop = std::function<Result<bool>(const TablePtr& base, const TableDerivation& refused)>;

  DerivedBuilder(StorageEngine& storage, std::function<SchemaPtr()> schema, Publish publish, Drop drop,
                 LogFunction log);
  ~DerivedBuilder();

  // Tells the builder that the schema has changed. Starts the thread if there is work for it. Safe on any thread.
  void Look();
  // Tells the builder that a write has left stale rows. The builder removes them. Safe on any thread.
  void StaleRowsLeft();
  // Waits until everything is built except failed builds, but not longer than `most`. Small tables take only a moment.
  void WaitUntilBuilt(std::chrono::milliseconds most);
  // Returns why the build of this unique index failed and the index was dropped; nullopt if it was not dropped. A
  // second call returns nullopt.
  std::optional<Error> TakeRefusal(const TableSchema& entries);
  // Returns the error of the last attempt to build this index or view; empty if there is none.
  std::string ErrorOf(const TableSchema& derived) const;

 private:
  struct Work {
    TablePtr base;
    DerivationPtr derivation;
  };
  // The progress of a build.
  struct Progress {
    bool done = false;
    std::optional<Slice::ResumePoint> at;
    uint64_t left_out = 0;           // Rows that the derived table cannot contain.
    std::optional<Error> duplicate;  // Set if two rows have the same value of a unique index.
  };
  // A build that has failed.
  struct SetAside {
    TablePtr base;
    Progress progress;
    std::chrono::milliseconds delay{0};
    std::chrono::steady_clock::time_point until;
  };

  void Loop();
  // Wakes the thread, or starts it.
  void Wake() WR_REQUIRES(mutex_);
  bool Stopping();
  // Removes stale rows until there are none, or `stop` returns true, or a build is due.
  void Sweep(const std::function<bool()>& stop);
  // Returns an index or view to build. If `due` is true, builds that are set aside until later are skipped. Called by
  // the builder's thread.
  std::optional<Work> FindWork(bool due) const;
  std::chrono::milliseconds UntilNextDue() const;
  // Returns false when the builder is stopping.
  bool BuildWhatIsDue();
  void BuildOrSetAside(const Work& work);
  Status Build(const Work& work, Progress& progress);
  // Drops the unique index.
  Status Refuse(const Work& work, const Error& duplicate);
  // Builds the derived rows of the base rows from `from` on. In the result, left_out is the number of rows left out
  // since the beginning of the build.
  Result<Progress> BuildSlice(const Work& work, const Progress& from);
  std::string NameOf(const Work& work) const;

  StorageEngine& storage_;
  const std::function<SchemaPtr()> schema_;
  const Publish publish_;
  const Drop drop_;
  const LogFunction log_;
  std::map<Uuid, SetAside> set_aside_;  // By the derived table's id. Used by the thread only.
  StaleSweep stale_sweep_;              // Used by the thread only.

  mutable Mutex mutex_;
  TimedCondVar wake_, idle_;
  std::map<Uuid, std::string> errors_ WR_GUARDED_BY(mutex_);  // The errors of set_aside_.
  std::map<Uuid, Error> refusals_ WR_GUARDED_BY(mutex_);      // By the derived table's id: why the index was dropped.
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  bool started_ WR_GUARDED_BY(mutex_) = false;
  bool stale_rows_left_ WR_GUARDED_BY(mutex_) = false;
  uint64_t looks_ WR_GUARDED_BY(mutex_) = 0;     // Number of schema changes reported.
  uint64_t finished_ WR_GUARDED_BY(mutex_) = 0;  // The value of looks_ when nothing was left to build.
  std::jthread thread_;                          // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
