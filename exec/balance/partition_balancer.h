// Splits RANGE partitions that have grown too large or are asked too much, and merges those that it had split once they are small
// again (docs/guide/partitioning.md). A thread of its own, which looks at the partitions' counters about once a second; reads and writes
// go on. A split or a merge changes the schema, never a row. Partitions that have been declared are never merged, and a split never
// parts the rows of one value of the partitioning columns.
#pragma once

#include <map>
#include <thread>

#include "base/mutex.h"
#include "storage/engine.h"

namespace widerow {

// What holds for tables that do not say it themselves.
struct BalanceOptions {
  bool enabled = true;
  int64_t split_bytes = int64_t{512} << 20;
  int64_t split_operations = 50'000;  // Reads and writes a second, for some seconds.
  int64_t period_ms = 1'000;
};

class PartitionBalancer {
 public:
  // Makes the table, as it was when it was looked at, into another one: false if it has changed meanwhile.
  using Change = std::function<Result<bool>(const TablePtr& before, TableSchema after)>;

  PartitionBalancer(StorageEngine& storage, std::function<SchemaPtr()> schema, Change change, BalanceOptions options);
  ~PartitionBalancer();

  // The schema has changed: the thread begins when there is something for it to do.
  void Look();

 private:
  struct Seen {
    uint64_t operations = 0;
    int busy = 0;   // Looks in a row at which there were too many.
    bool idle = false;
    int64_t one_value_bytes = 0;  // Of so many bytes it could not be split: they all belong to one value.
  };
  using Known = std::map<std::pair<StorageId, uint32_t>, Seen>;  // By table and partition.

  void Loop();
  bool Stopping();
  void LookAt(const TablePtr& table, double seconds, Known& now);
  bool SplitOne(const TablePtr& table, const std::vector<PartitionStats>& stats, Known& now);
  bool MergeOne(const TablePtr& table, const std::vector<PartitionStats>& stats, const Known& now);

  StorageEngine& storage_;
  const std::function<SchemaPtr()> schema_;
  const Change change_;
  const BalanceOptions options_;
  Known known_;  // The thread's own.

  Mutex mutex_;
  CondVar wake_;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  bool started_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
