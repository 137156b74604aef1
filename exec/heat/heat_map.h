// The heat of all tables: which keys are read and written in each slice of time, how often, with how many bytes, and
// for how long. Always on. All writes are counted. Reads and durations are counted if the caller measures them. A
// table's heat survives TRUNCATE and restarts (a crash loses a minute) and is deleted with the table. At most
// kTablesMax tables are in memory; the least recently used ones are on disk. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <thread>

#include "base/bytes_map.h"
#include "base/thread_number.h"
#include "exec/heat/heat_buffer.h"
#include "exec/heat/table_heat.h"
#include "exec/meter/touched_partitions.h"

namespace widerow {

class HeatMap {
 public:
  static constexpr size_t kTablesMax = 256;

  // `skipped` returns the number of reads, since the start, that the caller has not measured; see
  // BoundOfSampledReads.
  HeatMap(StorageEngine& storage, std::function<uint64_t()> skipped)
      : storage_(storage), skipped_(std::move(skipped)) {}
  ~HeatMap();  // Stores everything.
  HeatMap(const HeatMap&) = delete;
  HeatMap& operator=(const HeatMap&) = delete;

  // Counts the rows of a write.
  void CountWrites(const Mutation& mutation) { CountWrites(mutation.data(), mutation.size()); }
  void CountWrites(const PartitionMutation& partition) { CountWrites(&partition, 1); }
  // Records the partitions that a measured read has read in `micros`; it counts for `stands_for` reads.
  void RecordRead(const TouchedPartitions& touched, uint32_t stands_for, uint64_t micros);
  // Records that a write of these partitions took `micros`. The write counts for `stands_for` writes. (CountWrites
  // counts the rows.)
  void RecordWriteTime(const TouchedPartitions& touched, uint32_t stands_for, uint64_t micros);
  // Returns the partition if it is known to be hot.
  std::optional<HotPartition> HotPartitionOf(const TableSchema& table, ByteView partition_key) {
    return HeatOf(table)->HotPartitionOf(partition_key);
  }
  // Tells the map the time. In each second, the caller must call TurnTo before the first read that is not measured.
  void TurnTo(int64_t now_seconds) {
    if (now_seconds >= slice_end_.load(std::memory_order_relaxed)) [[unlikely]]
      BeginSlice(now_seconds);
  }
  // Returns the heat of a table.
  HeatSnapshot Snapshot(const TableSchema& table);
  // Deletes the heat of tables that are in `before` and not in `after`.
  void ForgetDropped(const SchemaSnapshot& before, const SchemaSnapshot& after);
  // Stores the heat of all tables; durable on return. After an error, the next call stores what this one did not.
  Status Store() WR_EXCLUDES(store_mutex_, mutex_);

 private:
  using TableHeatPtr = std::shared_ptr<TableHeat>;
  static constexpr size_t kBuffers = 32;
  struct alignas(64) Buffer : HeatBuffer {};

  void CountWrites(const PartitionMutation* partitions, size_t count);
  void Record(const TouchedPartitions& touched, const HeatCell& each, uint64_t bytes_weight);
  template <typename Use>
  void AddToBuffer(const Use& add);
  // Puts the operations of all buffers on the maps.
  void EmptyBuffers() WR_EXCLUDES(turn_);
  void EmptyBuffersInTurn() WR_REQUIRES(turn_);
  void PutOnMaps(const HeatOperations& operations, size_t thread) WR_REQUIRES(turn_);
  void BeginSlice(int64_t now_seconds) WR_EXCLUDES(turn_, mutex_);
  HeatTime TimeInTurn() const WR_REQUIRES(turn_);
  HeatTime Time() WR_EXCLUDES(turn_);

  TableHeatPtr HeatOf(const TableSchema& table) WR_EXCLUDES(mutex_);
  std::vector<TableHeatPtr> Tables() WR_REQUIRES(mutex_);
  void StartStoring() WR_REQUIRES(mutex_);
  void StoreNowAndThen();

  StorageEngine& storage_;
  const std::function<uint64_t()> skipped_;
  std::array<Buffer, kBuffers> buffers_;
  std::atomic<int64_t> slice_end_{0};  // In seconds.

  // Held while operations go from the buffers to the maps. Locked before mutex_ and before the mutexes of tables and
  // buffers.
  Mutex turn_;
  HeatOperations spare_ WR_GUARDED_BY(turn_);
  uint64_t round_ WR_GUARDED_BY(turn_) = 0;
  int64_t slice_begin_ WR_GUARDED_BY(turn_) = 0;
  uint64_t skipped_before_ WR_GUARDED_BY(turn_) = 0;  // The reads skipped before this slice.

  // Held by Store, so that no older note overwrites a newer one. Locked before all other mutexes.
  Mutex store_mutex_;
  // Changed notes that are not stored yet, and prefixes of notes to delete. Between calls both are empty, except after
  // an error.
  std::map<Bytes, std::optional<Bytes>> unstored_ WR_GUARDED_BY(store_mutex_);
  std::vector<Bytes> being_forgotten_ WR_GUARDED_BY(store_mutex_);

  Mutex mutex_;
  TimedCondVar wake_;
  BytesMap<TableHeatPtr> tables_ WR_GUARDED_BY(mutex_);  // By the prefix of their notes.
  struct PutAway {
    uint64_t number = 0;
    TableHeatPtr heat;
  };
  std::vector<PutAway> put_away_ WR_GUARDED_BY(mutex_);  // Removed from tables_, not yet stored.
  uint64_t last_put_away_ WR_GUARDED_BY(mutex_) = 0;     // The `number` of the last entry of put_away_.
  std::vector<Bytes> forgotten_ WR_GUARDED_BY(mutex_);   // Prefixes of notes to delete.
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Started with the first table.
};

}  // namespace widerow
