// Reads a backup and compares it with its manifest: sizes, checksums, all pages and records of the data file, all
// groups of the log. `widerow backup` does this before it writes the manifest; `widerow restore` and `widerow check
// --backup` do it again.
#pragma once

#include <filesystem>

#include "storage/backup/manifest.h"

namespace widerow {

struct BackupContents {
  uint64_t pages = 0, records = 0, groups = 0, bytes = 0;
};

// The error names the first file that is missing or damaged, and the place in it.
Result<BackupContents> VerifyBackup(const std::filesystem::path& directory, const Manifest& manifest);
// Verifies one file of the log only.
Result<BackupContents> VerifyBackupLog(const std::filesystem::path& directory, const Manifest& manifest, size_t index);

}  // namespace widerow
