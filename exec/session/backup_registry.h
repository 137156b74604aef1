// Backups that clients are reading (StorageEngine::BeginBackup). While one is open, the data file keeps the pages of
// its snapshot, and the commit log keeps the groups that the backup has not read. So a backup whose client has not
// asked for anything for a minute is closed. `widerow backup` asks every few seconds (Touch), also while it syncs and
// checks its files. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "storage/backup.h"

namespace widerow {

// One backup. Its requests run one at a time.
class OpenBackup {
 public:
  OpenBackup(std::unique_ptr<BackupSource> source, bool full, const Uuid& owner, int64_t started_micros)
      : full_(full),
        owner_(owner),
        started_micros_(started_micros),
        facts_(source->facts()),
        source_(std::move(source)) {}

  const Uuid& id() const { return id_; }
  bool full() const { return full_; }
  const Uuid& owner() const { return owner_; }  // The role that has begun it; nil: nobody has to log in.
  int64_t started_micros() const { return started_micros_; }
  const BackupFacts& facts() const { return facts_; }
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

  Result<RecordsPart> ReadRecords(bool meta, const Bytes& after) WR_EXCLUDES(mutex_);
  Result<LogPart> ReadLog(uint64_t sequence, uint64_t offset) WR_EXCLUDES(mutex_);
  Status Finished(uint64_t through) WR_EXCLUDES(mutex_);
  // Notes that the client is still making the backup.
  Status Touch() WR_EXCLUDES(mutex_);
  // Closes the backup if no request has used it since `since`. Returns true if it is closed.
  bool CloseIfIdle(std::chrono::steady_clock::time_point since) WR_EXCLUDES(mutex_);

 private:
  // Fails if the backup is closed; otherwise notes that it is used.
  Status Use() WR_REQUIRES(mutex_);

  const Uuid id_ = Uuid::Random();
  const bool full_;
  const Uuid owner_;
  const int64_t started_micros_;
  const BackupFacts facts_;
  std::atomic<uint64_t> bytes_read_{0};
  Mutex mutex_;
  std::unique_ptr<BackupSource> source_ WR_GUARDED_BY(mutex_);  // Null: closed.
  std::chrono::steady_clock::time_point used_ WR_GUARDED_BY(mutex_) = std::chrono::steady_clock::now();
};
using OpenBackupPtr = std::shared_ptr<OpenBackup>;

class BackupRegistry {
 public:
  static constexpr size_t kOpenMax = 4;
  static constexpr std::chrono::seconds kIdleMax{60};
  // If kOpenMax backups are open, a new backup closes one whose client has sent nothing for this time: that client was
  // probably killed.
  static constexpr std::chrono::seconds kSilentMax{10};

  BackupRegistry() = default;
  ~BackupRegistry();

  // kOverloaded if kOpenMax backups are open and none of their clients has been silent for kSilentMax.
  Status Add(OpenBackupPtr backup) WR_EXCLUDES(mutex_);
  OpenBackupPtr Find(const Uuid& id) const WR_EXCLUDES(mutex_);  // Null: there is none.
  void Remove(const Uuid& id) WR_EXCLUDES(mutex_);
  std::vector<OpenBackupPtr> List() const WR_EXCLUDES(mutex_);

 private:
  void Watch() WR_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  TimedCondVar changed_;
  std::map<Uuid, OpenBackupPtr> backups_ WR_GUARDED_BY(mutex_);
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread watcher_ WR_GUARDED_BY(mutex_);  // Started with the first backup.
};

}  // namespace widerow
