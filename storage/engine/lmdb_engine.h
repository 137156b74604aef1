// The StorageEngine (storage_engine.h) over one LMDB file, with a commit log and memtables in front of it
// (docs/internals/write-path.md). It owns all parts: the threads WriterThread and Folder, the log, the memtables
// (SharedReadState), the snapshots and the counters. Thread-safe, except for Open and the destructor.
#pragma once

#include "storage/count/partition_sizes.h"
#include "storage/engine/direct_log_writer.h"
#include "storage/engine/history_mark.h"
#include "storage/engine/large_upload.h"
#include "storage/lmdb/open_checks.h"
#include "storage/lmdb/page_usage.h"
#include "storage/log/periodic_sync.h"
#include "storage/read/view.h"
#include "storage/storage_engine.h"
#include "storage/write/writer_thread.h"

namespace widerow {

class LmdbEngine final : public StorageEngine {
 public:
  // A Feed passes groups to its argument, which replays them: the groups of a backup, or of the log of a damaged
  // directory (storage/check/salvage.h).
  using Feed = std::function<Status(const LogReplay&)>;
  // With `feed`, the directory is being restored or salvaged. The groups of `feed` are replayed as if they were in the
  // commit log.
  static Result<std::unique_ptr<LmdbEngine>> Open(StorageOptions options, const Feed& feed = {});
  ~LmdbEngine() override;

  Uuid database_id() const override { return database_id_; }
  SchemaPtr LoadedSchema() override { return loaded_schema_; }
  Status CommitSchema(const SchemaPtr& next) override;
  StorageId NewStorageId() override { return next_storage_id_.fetch_add(1); }
  Result<std::unique_ptr<ReadView>> OpenView() override { return snapshots_.OpenView(); }
  Result<std::unique_ptr<HeldSnapshot>> HoldSnapshot() override { return snapshots_.Hold(); }
  Status ReadRow(const TableSchema& table, ByteView partition_key, ByteView clustering,
                 const std::function<void(const RowView*)>& use) override;
  Status Flush() override;
  Status Apply(Write write) override;
  void Submit(Write write, std::function<void(Status)> done) override;
  Status TakesWrites() const override;
  void SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) override;
  std::unique_ptr<BulkLoad> OpenBulk(TablePtr table, const BulkLimits& limits) override;
  std::unique_ptr<LargeUpload> BeginLargeObject(const TableSchema& table, ByteView partition_key) override;
  Result<std::unique_ptr<LargeRead>> OpenLargeObject(const TableSchema& table, ByteView partition_key,
                                                     const LargeReference& reference) override;
  int64_t NextTimestampMicros() override;
  Clock& clock() override { return *options_.clock; }
  Result<StorageUsage> Usage() const override;
  StorageStatistics Statistics() const override;
  std::vector<PartitionStats> Partitions(const TableSchema& table) const override { return counters_.Stats(table); }
  std::vector<PartitionSize> LargestPartitions(const TableSchema& table) override;
  PurgeStatistics Purges(const TableSchema& table) override { return state_.ledger().Read(table.storage_id); }
  std::map<StorageId, uint64_t> StaleMarks() override { return stale_.All(); }
  Status ClearStaleMark(StorageId table, uint64_t through) override;
  Status WriteNotes(const std::vector<StorageNote>& notes) override;
  Result<std::vector<StorageNote>> ReadNotes(ByteView prefix) override;
  void CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) override;
  Result<std::unique_ptr<BackupSource>> BeginBackup(const std::optional<BackupPlace>& since) override;
  BackupStatistics Backups() const override;

  // Returns the lock of the directory. The directory belongs to this process as long as anyone holds the lock, even
  // after the engine is destroyed.
  std::shared_ptr<const lmdb::DirectoryLock> lock() const { return lock_; }
  // Freezes the active memtable, so that the folder folds everything written before the call. If an earlier memtable is
  // being folded, waits for that fold. Does not wait until the newly frozen memtable is folded.
  Status Freeze();
  // The following functions are for the classes that write and read large objects.
  LargeObjects& large_objects() { return large_; }
  LargeCounters& large_counters() { return large_counters_; }
  lmdb::Env& env() { return *env_; }
  // False if the table or the partition is gone.
  bool HasPartition(ByteView partition_prefix) const { return FindLive(*tables_.Load(), partition_prefix) != nullptr; }
  bool log_broken() const { return log_->broken(); }
  uint64_t visible() const { return state_.visible(); }
  // Returns the memtable to fold; null if there is none.
  MemtablePtr FrozenMemtable() const { return state_.frozen(); }
  // Returns the object that logs direct changes before they are made, or null if they are not logged.
  DirectLog* direct_log() { return history_.id() ? &direct_log_ : nullptr; }
  // Runs `job` on the folder's thread. No fold or sweep runs during the job.
  Status RunOnFolder(std::function<Status(StoreWriter&)> job) { return folder_->Run(std::move(job)); }
  // Flushes, and then sweeps until nothing is left that can be removed now.
  Status SweepAll();
  bool SweepIsDue();
  // For tests. Set the greatest size of a record of the log, and the most memory that one write may take
  // (group_writer.h).
  void SetRecordBytesMax(size_t bytes);
  void SetWriteMemoryMax(size_t bytes);

 private:
  LmdbEngine(StorageOptions options, lmdb::DirectoryLock lock, std::unique_ptr<lmdb::Env> env);
  friend class BackupReader;

  Status Start(const Feed& feed);
  // Sets history_, stored_history_ and keep_log_bytes_ from the options and from the note of an earlier process.
  Status LoadHistory();
  // Begins a new history, because a change that was logged could not be made.
  Status RenewHistory();
  // Makes the changes of direct groups that Recover has found in the log.
  Status RepeatDirectGroups(StoreWriter& writer, const std::vector<Bytes>& groups);
  // Stores the ids of the database and of the log, the newest tombstones, and the notes kKnowsTombstonesNote and
  // kHistoryNote.
  Status StoreIds(const StoredMeta& stored);
  Status LoadSizes();
  Status LoadStaleMarks();
  // Replays the commit log, and then the groups of `feed`. Writes go into the memtable, and changes of the catalog into
  // `records`.
  Status Recover(GroupWriter& writer, const StoredMeta& stored, MetaRecords& records, const Feed& feed);

  const StorageOptions options_;
  // Held until everything below is destroyed.
  const std::shared_ptr<const lmdb::DirectoryLock> lock_;
  const std::unique_ptr<lmdb::Env> env_;
  mutable lmdb::PageCounter page_counter_{*env_};
  SharedReadState state_;
  PartitionCounters counters_;
  PartitionSizes sizes_;
  widerow::StaleMarks stale_;
  PurgeFence fence_;
  LargeObjects large_;
  LargeCounters large_counters_;
  Published<LiveTables> tables_;
  std::atomic<int64_t> last_timestamp_{0};
  std::atomic<StorageId> next_storage_id_{1};
  Uuid database_id_;
  SchemaPtr loaded_schema_;
  SnapshotPool snapshots_;
  std::unique_ptr<CommitLog> log_;
  uint64_t keep_log_bytes_ = 0;
  StorageNote stored_history_;  // The history's note that LoadHistory found; no value: there was none.
  EngineDirectLog direct_log_{state_};
  HistoryMark history_;
  FinishedBackup finished_backup_;
  std::unique_ptr<Folder> folder_;
  std::unique_ptr<WriterThread> writer_;
  std::unique_ptr<PeriodicSync> periodic_sync_;  // Null unless Durability::kPeriodic.
};

}  // namespace widerow
