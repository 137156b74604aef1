// Writes a backup into a directory. If the directory is empty, it is a full backup. If the directory has a backup, the
// log after this backup is added.
//
// The files of a directory are `base.mdb`, a data file with the records of one snapshot; `log-<n>.groups`, groups of
// the commit log; and `manifest.json`. The manifest is replaced after the other files are durable and have been read
// back. Files that the manifest does not name are left from a backup that was not finished; the next backup removes
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "storage/backup.h"
#include "storage/backup/manifest.h"

namespace widerow {

// Begins a backup of a database. If `since` has a value, it is an incremental backup, which has the log after this
// place. Otherwise it is a full backup.
using OpenBackupSource = std::function<Result<std::unique_ptr<BackupSource>>(const std::optional<BackupPlace>& since)>;
// `doing` is the current step. In the step that copies records, `done` of `all` records have been copied. In all other
// steps both numbers are 0.
using BackupProgress = std::function<void(const std::string& doing, uint64_t done, uint64_t all)>;

struct BackupOptions {
  std::filesystem::path directory;
  std::string program_version;
  BackupProgress progress;
};

struct BackupOutcome {
  Manifest manifest;
  bool full = false;
  uint64_t bytes = 0;   // Bytes of the files that were written.
  uint64_t groups = 0;  // Groups of the log that were written.
};

// Errors: the directory has other files, an unfinished restore, or a backup of another database; the log does not have
// all groups after the backup in the directory; reading or writing fails. After an error the directory has the backup
// that it had before. If `open` fails, no directory is made.
Result<BackupOutcome> WriteBackup(const BackupOptions& options, const OpenBackupSource& open);

inline constexpr const char* kBaseName = "base.mdb";

}  // namespace widerow
