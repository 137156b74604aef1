// Brings the rows that a table had before an index or a view was made into it: a thread that goes over the base table in slices, each a
// decide step of the storage's writer, so that nothing comes between reading rows and writing what follows from them. Writes that
// come meanwhile are kept in step as always; what the build writes a second time is the same. After a restart it begins again.
#pragma once

#include <chrono>
#include <thread>

#include "base/mutex.h"
#include "exec/derived/derivation.h"
#include "storage/engine.h"

namespace widerow {

class DerivedBuilder {
 public:
  // Says in the schema that it is built: false if the table or what was built of it has changed meanwhile.
  using Publish = std::function<Result<bool>(const TablePtr& base, const TableDerivation& built)>;

  DerivedBuilder(StorageEngine& storage, std::function<SchemaPtr()> schema, Publish publish);
  ~DerivedBuilder();

  // The schema has changed: the thread begins when there is something for it to do.
  void Look();
  // Until there is nothing to build, and no longer than this. Small tables need but a moment.
  void WaitUntilBuilt(std::chrono::milliseconds most);

 private:
  struct Work {
    TablePtr base;
    DerivationPtr derivation;
  };
  struct SliceEnd {
    bool done = false;
    std::optional<Slice::ResumePoint> at;
  };

  void Loop();
  bool Stopping();
  std::optional<Work> FindWork() const;
  Status Build(const Work& work);
  // Rows from `from` on.
  Result<SliceEnd> BuildSlice(const Work& work, const std::optional<Slice::ResumePoint>& from);

  StorageEngine& storage_;
  const std::function<SchemaPtr()> schema_;
  const Publish publish_;

  Mutex mutex_;
  CondVar wake_, idle_;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  bool started_ WR_GUARDED_BY(mutex_) = false;
  uint64_t looks_ WR_GUARDED_BY(mutex_) = 0;      // How often there was something new.
  uint64_t finished_ WR_GUARDED_BY(mutex_) = 0;   // Of these, with nothing left to build.
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
