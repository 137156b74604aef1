// The options of `widerow backup`, `widerow restore`, `widerow check` and `widerow dump`.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "server/check_command.h"
#include "server/dump_command.h"
#include "shell/shell.h"

namespace CLI {
class App;
}

namespace widerow {

struct BackupCommandOptions {
  std::string data_directory;  // Empty: the backup is of the server at `server`.
  std::string server;          // HOST:PORT of the HTTP port.
  std::string user;            // The role to log in as; empty: none.
  ClientTls tls;
  std::string to;
};

struct RestoreCommandOptions {
  std::string from, to;
  std::optional<int64_t> until;  // Microseconds since 1970.
  std::string keyspace, table;
};

// The texts of the options, as CLI11 reads them.
struct BackupArguments {
  bool backup_help = false, restore_help = false, check_help = false, dump_help = false;
  BackupCommandOptions backup;
  RestoreCommandOptions restore;
  CheckCommandOptions check;
  DumpCommandOptions dump;
  std::string until, table, dump_table;
};
void DeclareBackupOptions(CLI::App& app, BackupArguments& arguments);
Result<BackupCommandOptions> CheckBackupOptions(const BackupArguments& arguments);
Result<RestoreCommandOptions> CheckRestoreOptions(const BackupArguments& arguments);

Result<CheckCommandOptions> CheckCheckOptions(const BackupArguments& arguments);
Result<DumpCommandOptions> CheckDumpOptions(const BackupArguments& arguments);

// Parses a moment: a date and time as CQL writes it, with up to six digits after the point of the seconds. Returns
// microseconds since 1970. Without a time zone, the time is in UTC.
Result<int64_t> ParseMoment(const std::string& text);

}  // namespace widerow
