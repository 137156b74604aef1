// Restores a backup into a new data directory.
#pragma once

#include <functional>
#include <optional>

#include "storage/backup/manifest.h"
#include "storage/backup/write_backup.h"

namespace widerow {

struct RestoreOptions {
  std::filesystem::path from, to;
  // A time in microseconds since 1970. The log is replayed up to the first group with a later time. The groups that the
  // data file of the backup needs are replayed in any case.
  std::optional<int64_t> until;
  // If `keyspace` is given, only this keyspace is restored, without roles. If `table` is given too, only this table and
  // its materialized views are restored.
  std::string keyspace, table;
  BackupProgress progress;
};

struct Restored {
  Manifest manifest;
  uint64_t records = 0;    // Records of the data file of the backup.
  uint64_t groups = 0;     // Groups of the log that were replayed.
  int64_t last_group = 0;  // The time of the last group that was replayed; 0 if there was none.
};

// Verifies the backup, copies its data file, and replays its log. The directory `to` must be absent or empty, or have
// an unfinished restore. Until everything is durable, the directory has the file kRestoringName, and is not opened.
Result<Restored> RestoreBackup(const RestoreOptions& options);

}  // namespace widerow
