// Splits RANGE partitions that have become too large or too busy. When the parts have become small again, they are
// merged (docs/guide/partitioning.md). A thread checks the sizes and the load of the partitions about once a second;
// reads and writes continue meanwhile. A split or a merge changes the schema, never a row. Two declared partitions are
// never merged. A split never separates rows that have the same values in the partitioning columns.
#pragma once

#include <chrono>
#include <map>
#include <thread>

#include "base/mutex.h"
#include "storage/storage_engine.h"

namespace widerow {

// Settings for tables that do not have their own.
struct BalanceOptions {
  bool enabled = true;
  int64_t split_bytes = int64_t{512} << 20;
  int64_t split_operations = 50'000;  // Reads and writes a second, for some seconds.
  int64_t period_ms = 1'000;
};

class PartitionBalancer {
 public:
  // Replaces the table `before` by `after`. Returns false if the table has changed meanwhile.
  using Change = std::function<Result<bool>(const TablePtr& before, TableSchema after)>;

  PartitionBalancer(StorageEngine& storage, std::function<SchemaPtr()> schema, Change change, BalanceOptions options);
  ~PartitionBalancer();

  // Tells the balancer that the schema has changed. Starts the thread if there is work for it. Safe on any thread.
  void Look();

 private:
  struct Seen {
    uint64_t operations = 0;
    int busy = 0;  // The number of consecutive checks that found the partition too busy.
    bool idle = false;
    // The size that the partition had when a split was impossible, because all its rows had one value in the
    // partitioning columns.
    int64_t one_value_bytes = 0;
    int failures = 0;  // Consecutive attempts to split it that failed.
    // After a failure, the next attempt waits until this time, because each attempt reads the whole partition.
    std::chrono::steady_clock::time_point retry_at;

    void Failed();  // Notes a failed attempt.
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
  Known known_;  // Used by the thread only.

  Mutex mutex_;
  TimedCondVar wake_;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  bool started_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
