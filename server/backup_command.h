// `widerow backup` and `widerow restore`: show progress and print the result. storage/backup/write_backup.h and
// storage/engine/restore_backup.h do the work.
#pragma once

#include "base/result.h"
#include "server/backup_options.h"

namespace widerow {

Status Backup(const BackupCommandOptions& options);
Status RestoreFromBackup(const RestoreCommandOptions& options);

}  // namespace widerow
