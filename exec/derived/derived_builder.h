// Brings the rows that a table had before an index or a view was made into it: a thread that goes over the base table in slices, each a
// decide step of the storage's writer, so that nothing comes between reading rows and writing what follows from them. Writes that
// come meanwhile are kept in step as always; what the build writes a second time is the same. After a restart it begins again.
// Each slice is of a moment of its own: what was written before it is in it, what comes later is kept in step.
// Where that fails, because the disk is full, say, others are built first, and it goes on later from where it stands.
#pragma once

#include <chrono>
#include <map>
#include <thread>

#include "base/mutex.h"
#include "exec/derived/derivation.h"
#include "storage/engine.h"

namespace widerow {

class DerivedBuilder {
 public:
  // Says in the schema that it is built: false if the table or what was built of it has changed meanwhile.
  using Publish = std::function<Result<bool>(const TablePtr& base, const TableDerivation& built)>;

  using Log = std::function<void(const std::string&)>;

  DerivedBuilder(StorageEngine& storage, std::function<SchemaPtr()> schema, Publish publish, Log log);
  ~DerivedBuilder();

  // The schema has changed: the thread begins when there is something for it to do.
  void Look();
  // Until there is nothing to build but what has failed, and no longer than this. Small tables need but a moment.
  void WaitUntilBuilt(std::chrono::milliseconds most);
  // Why building this index or view has failed the last time; empty if it has not.
  std::string ErrorOf(const TableSchema& derived) const;

 private:
  struct Work {
    TablePtr base;
    DerivationPtr derivation;
  };
  // How far a build has come.
  struct Progress {
    bool done = false;
    std::optional<Slice::ResumePoint> at;
    uint64_t left_out = 0;  // Rows that the derived table cannot have.
  };
  // One that has failed.
  struct SetAside {
    TablePtr base;
    Progress progress;
    std::chrono::milliseconds delay{0};
    std::chrono::steady_clock::time_point until;
  };

  void Loop();
  bool Stopping();
  // The first that there is; with `due` of those alone that are not set aside for longer. That is for the thread alone.
  std::optional<Work> FindWork(bool due) const;
  std::chrono::milliseconds UntilNextDue() const;
  // False: it is stopping.
  bool BuildWhatIsDue();
  void BuildOrSetAside(const Work& work);
  Status Build(const Work& work, Progress& progress);
  // Rows from `from` on; what it returns has `from`'s rows left out, too.
  Result<Progress> BuildSlice(const Work& work, const Progress& from);
  std::string NameOf(const Work& work) const;

  StorageEngine& storage_;
  const std::function<SchemaPtr()> schema_;
  const Publish publish_;
  const Log log_;
  std::map<Uuid, SetAside> set_aside_;  // By the derived table's id. The thread's own.

  mutable Mutex mutex_;
  CondVar wake_, idle_;
  std::map<Uuid, std::string> errors_ WR_GUARDED_BY(mutex_);  // Of what is set aside.
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  bool started_ WR_GUARDED_BY(mutex_) = false;
  uint64_t looks_ WR_GUARDED_BY(mutex_) = 0;      // How often there was something new.
  uint64_t finished_ WR_GUARDED_BY(mutex_) = 0;   // Of these, with nothing left to build.
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
