// One backup of an engine: a snapshot of the data file, a place in the log, and a pin that keeps the log from there on.
#pragma once

#include "storage/engine/lmdb_engine.h"

namespace widerow {

class BackupReader final : public BackupSource {
 public:
  // See StorageEngine::BeginBackup. The engine must outlive the reader.
  static Result<std::unique_ptr<BackupSource>> Begin(LmdbEngine& engine, const std::optional<BackupPlace>& since);
  ~BackupReader() override;

  const BackupFacts& facts() const override { return facts_; }
  Result<RecordsPart> ReadRecords(bool meta, const Bytes& after) override;
  Result<LogPart> ReadLog(uint64_t sequence, uint64_t offset) override;
  Status Finished(uint64_t through) override;

 private:
  explicit BackupReader(LmdbEngine& engine) : engine_(engine) {}
  void Pin(uint64_t sequence);
  void Unpin();
  // Syncs the log. Sets facts_.through and facts_.through_micros to the number and the time of its last group, and
  // facts_.moment to the present time.
  Status TakeMoment();
  Status BeginFull();
  Status BeginIncrement(const BackupPlace& since);

  LmdbEngine& engine_;
  BackupFacts facts_;
  std::optional<lmdb::ReadTxn> txn_;  // Full backups only.
  std::optional<uint64_t> pinned_;
  LogCursor cursor_;
};

}  // namespace widerow
