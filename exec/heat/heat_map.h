// The heat of all tables: which keys are read and written, how often, how much and how long, over time. Always on. What is
// known of a table lasts through TRUNCATE and restarts (a crash loses a minute), and goes with the table. Of at most
// kTablesMax tables in memory; those unused longest wait on the disk. Thread-safe.
#pragma once

#include <thread>

#include "exec/heat/table_heat.h"
#include "exec/meter/touched_partitions.h"

namespace widerow {

class HeatMap {
 public:
  static constexpr size_t kTablesMax = 256;

  explicit HeatMap(StorageEngine& storage) : storage_(storage) {}
  ~HeatMap();  // Stores what there is.
  HeatMap(const HeatMap&) = delete;
  HeatMap& operator=(const HeatMap&) = delete;

  // What a statement, which stands for `stands_for` like it, has read or written in `micros`. Returns a partition among them
  // that is known to be hot; null: none.
  const TouchedPartitions::One* Record(const TouchedPartitions& touched, bool is_write, uint32_t stands_for, uint64_t micros);
  HeatSnapshot Snapshot(const TableSchema& table);
  // What there was of tables that are in `before` and not in `after` goes.
  void ForgetDropped(const SchemaSnapshot& before, const SchemaSnapshot& after);
  // Of all tables; durable on return.
  Status Store() WR_EXCLUDES(mutex_);

 private:
  using TablePtrs = std::vector<std::shared_ptr<TableHeat>>;

  std::shared_ptr<TableHeat> HeatOf(const TableSchema& table) WR_EXCLUDES(mutex_);
  void StartStoring() WR_REQUIRES(mutex_);
  void StoreNowAndThen();

  StorageEngine& storage_;
  Mutex mutex_;
  CondVar wake_;
  std::unordered_map<Bytes, std::shared_ptr<TableHeat>> tables_ WR_GUARDED_BY(mutex_);  // By the prefix of their notes.
  TablePtrs put_away_ WR_GUARDED_BY(mutex_);             // To be stored.
  std::vector<Bytes> forgotten_ WR_GUARDED_BY(mutex_);   // Prefixes of notes that are to go.
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Begun with the first operation.
};

}  // namespace widerow
