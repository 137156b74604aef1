// The heat of all tables: which keys are read and written, how often, how much and how long, over time. Always on. A
// table's heat survives TRUNCATE and restarts (a crash loses a minute) and is deleted with the table. At most
// kTablesMax tables are in memory; the least recently used ones are on disk. Thread-safe.
#pragma once

#include <thread>

#include "base/bytes_map.h"
#include "exec/heat/table_heat.h"
#include "exec/meter/touched_partitions.h"

namespace widerow {

class HeatMap {
 public:
  static constexpr size_t kTablesMax = 256;

  explicit HeatMap(StorageEngine& storage) : storage_(storage) {}
  ~HeatMap();  // Stores everything.
  HeatMap(const HeatMap&) = delete;
  HeatMap& operator=(const HeatMap&) = delete;

  // Records the partitions that a statement has read or written in `micros`; it counts for `stands_for` statements.
  // Returns one of the partitions that is known to be hot; null: none.
  const TouchedPartitions::One* Record(const TouchedPartitions& touched, bool is_write, uint32_t stands_for,
                                       uint64_t micros);
  // Returns the heat of a table.
  HeatSnapshot Snapshot(const TableSchema& table);
  // Deletes the heat of tables that are in `before` and not in `after`.
  void ForgetDropped(const SchemaSnapshot& before, const SchemaSnapshot& after);
  // Stores the heat of all tables; durable on return.
  Status Store() WR_EXCLUDES(mutex_);

 private:
  using TablePtrs = std::vector<std::shared_ptr<TableHeat>>;

  std::shared_ptr<TableHeat> HeatOf(const TableSchema& table) WR_EXCLUDES(mutex_);
  void StartStoring() WR_REQUIRES(mutex_);
  void StoreNowAndThen();

  StorageEngine& storage_;
  Mutex mutex_;
  TimedCondVar wake_;
  BytesMap<std::shared_ptr<TableHeat>> tables_ WR_GUARDED_BY(mutex_);  // By the prefix of their notes.
  TablePtrs put_away_ WR_GUARDED_BY(mutex_);                           // Removed from tables_, not yet stored.
  std::vector<Bytes> forgotten_ WR_GUARDED_BY(mutex_);                 // Prefixes of notes to delete.
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Started with the first operation.
};

}  // namespace widerow
