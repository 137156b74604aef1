#include "server/backup_command.h"

#include <unistd.h>

#include <cstdio>

#include "base/text.h"
#include "server/help_text.h"
#include "server/remote_backup.h"
#include "server/step_report.h"
#include "shell/password_prompt.h"
#include "shell/progress.h"
#include "storage/backup/write_backup.h"
#include "storage/engine/compact.h"
#include "storage/engine/restore_backup.h"
#include "storage/storage_engine.h"

namespace widerow {
namespace {

BackupProgress ProgressOf(StepReport& report) {
  return [&](const std::string& doing, uint64_t done, uint64_t all) { report.Show(doing, done, all); };
}

std::string WriteGroupsText(uint64_t number) { return Counted(number, "group of writes", "groups of writes"); }

std::string ContentsText(uint64_t records, uint64_t groups) {
  return StrCat(Counted(records, "record", "records"), " and ", WriteGroupsText(groups));
}

void Print(const BackupOutcome& outcome, const std::string& directory) {
  const Manifest& manifest = outcome.manifest;
  if (outcome.full) {
    std::printf("full backup in '%s': %s, %s bytes\n", directory.c_str(),
                ContentsText(manifest.records, outcome.groups).c_str(), GroupedDigits(outcome.bytes).c_str());
  } else {
    std::printf("incremental backup in '%s': %s, %s bytes\n", directory.c_str(),
                WriteGroupsText(outcome.groups).c_str(), GroupedDigits(outcome.bytes).c_str());
  }
  std::printf("moments from %s to %s\n", MomentText(manifest.first_moment).c_str(),
              MomentText(manifest.last_moment).c_str());
}

}  // namespace

Status Backup(const BackupCommandOptions& options) {
  StepReport report(isatty(STDERR_FILENO) != 0);
  const BackupOptions backup{
      .directory = options.to, .program_version = ProgramVersion(), .progress = ProgressOf(report)};
  std::unique_ptr<StorageEngine> storage;
  OpenBackupSource open;
  if (options.server.empty()) {
    WR_RETURN_IF_ERROR(CheckThereIsDatabase(options.data_directory));
    StorageOptions local;
    local.directory = options.data_directory;
    local.background_sweep = false;
    local.keep_log_as_before = true;
    local.log = [&](const LogEvent& event) { report.Line(event.message); };
    WR_ASSIGN_OR_RETURN(storage, OpenLmdbEngine(std::move(local)));
    open = [&](const std::optional<BackupPlace>& since) { return storage->BeginBackup(since); };
  } else {
    Credentials credentials{.user = options.user, .password = {}};
    if (!options.user.empty()) { WR_ASSIGN_OR_RETURN(credentials.password, AskPassword(options.user)); }
    open = [&options, credentials](const std::optional<BackupPlace>& since) {
      return OpenRemoteBackup(options.server, credentials, options.tls, since);
    };
  }
  WR_ASSIGN_OR_RETURN(const BackupOutcome outcome, WriteBackup(backup, open));
  report.EndLine();
  Print(outcome, options.to);
  return OkStatus();
}

Status RestoreFromBackup(const RestoreCommandOptions& options) {
  StepReport report(isatty(STDERR_FILENO) != 0);
  WR_ASSIGN_OR_RETURN(const Restored restored, RestoreBackup({.from = options.from,
                                                              .to = options.to,
                                                              .until = options.until,
                                                              .keyspace = options.keyspace,
                                                              .table = options.table,
                                                              .progress = ProgressOf(report)}));
  report.EndLine();
  const int64_t moment = options.until.value_or(restored.manifest.last_moment);
  const std::string contents = ContentsText(restored.records, restored.groups);
  if (options.keyspace.empty()) {
    std::printf("restored into '%s': the moment %s, %s\n", options.to.c_str(), MomentText(moment).c_str(),
                contents.c_str());
    return OkStatus();
  }
  // `contents` counts everything that was read from the backup, also the keyspaces and tables that were left out.
  const std::string what = options.table.empty() ? StrCat("the keyspace ", options.keyspace)
                                                 : StrCat("the table ", options.keyspace, ".", options.table);
  std::printf("restored into '%s': %s at the moment %s, from %s\n", options.to.c_str(), what.c_str(),
              MomentText(moment).c_str(), contents.c_str());
  return OkStatus();
}

}  // namespace widerow
