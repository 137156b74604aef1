// StorageEngine over one LMDB file: snapshots for readers, one writer thread. See engine.h for the contract.
#pragma once

#include "storage/engine.h"
#include "storage/lmdb/open_checks.h"
#include "storage/view.h"
#include "storage/writer_thread.h"

namespace widerow {

class LmdbEngine final : public StorageEngine {
 public:
  static Result<std::unique_ptr<LmdbEngine>> Open(StorageOptions options);
  ~LmdbEngine() override;

  Uuid database_id() const override { return database_id_; }
  SchemaPtr LoadedSchema() override { return loaded_schema_; }
  Status CommitSchema(const SchemaPtr& next) override;
  StorageId NewStorageId() override { return next_storage_id_.fetch_add(1); }
  Result<std::unique_ptr<ReadView>> OpenView() override { return snapshots_.OpenView(); }
  Status Apply(Write write) override;
  void Submit(Write write, std::function<void(Status)> done) override;
  int64_t NextTimestampMicros() override;
  Clock& clock() override { return *options_.clock; }
  std::vector<PartitionStats> Partitions(const TableSchema& table) override { return counters_.Stats(table); }
  void CountRead(const TableSchema& table, ByteView partition_key, uint64_t micros) override {
    counters_.CountRead(table, partition_key, micros);
  }

  // Sweeps until nothing is left that may go now.
  Status SweepAll();
  bool SweepIsDue();

 private:
  LmdbEngine(StorageOptions options, lmdb::DirectoryLock lock, std::unique_ptr<lmdb::Env> env);
  Status Start();
  Status GiveDatabaseId();

  const StorageOptions options_;
  const lmdb::DirectoryLock lock_;  // Held until everything below is gone.
  const std::unique_ptr<lmdb::Env> env_;
  SharedOverlay overlay_;
  PartitionCounters counters_;
  std::atomic<int64_t> last_timestamp_{0};
  std::atomic<StorageId> next_storage_id_{1};
  Uuid database_id_;
  SchemaPtr loaded_schema_;
  SnapshotPool snapshots_;
  std::unique_ptr<WriterThread> writer_;
};

}  // namespace widerow
