#include "server/backup_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/bytes.h"
#include "server/tls_arguments.h"
#include "types/scalar_text.h"

namespace widerow {
namespace {

constexpr const char* kBackupExample = "for example: widerow backup --server 127.0.0.1:8042 --to ./backup";
constexpr const char* kRestoreExample = "for example: widerow restore --from ./backup --to ./restored";

// Sets the keyspace and the table from the value of --table, if there is one.
Status SplitTable(const std::string& text, std::string& keyspace, std::string& table) {
  if (text.empty()) return OkStatus();
  const size_t dot = text.find('.');
  if (!keyspace.empty() || dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    return InvalidError("--table must be KEYSPACE.TABLE, and excludes --keyspace", "for example: --table shop.orders");
  }
  keyspace = text.substr(0, dot);
  table = text.substr(dot + 1);
  return OkStatus();
}

}  // namespace

void DeclareBackupOptions(CLI::App& app, BackupArguments& arguments) {
  CLI::App* const backup = app.add_subcommand("backup");
  backup->set_help_flag();
  backup->add_flag("-h,--help", arguments.backup_help);
  backup->add_option("--server", arguments.backup.server);
  backup->add_option("--data", arguments.backup.data_directory);
  backup->add_option("-u,--user", arguments.backup.user);
  DeclareClientTls(*backup, arguments.backup.tls);
  backup->add_option("--to", arguments.backup.to);

  CLI::App* const restore = app.add_subcommand("restore");
  restore->set_help_flag();
  restore->add_flag("-h,--help", arguments.restore_help);
  restore->add_option("--from", arguments.restore.from);
  restore->add_option("--to", arguments.restore.to);
  restore->add_option("--until", arguments.until);
  restore->add_option("--keyspace", arguments.restore.keyspace);
  restore->add_option("--table", arguments.table);

  CLI::App* const check = app.add_subcommand("check");
  check->set_help_flag();
  check->add_flag("-h,--help", arguments.check_help);
  check->add_option("--data", arguments.check.data_directory);
  check->add_option("--backup", arguments.check.backup);
  check->add_option("--salvage", arguments.check.salvage);

  CLI::App* const dump = app.add_subcommand("dump");
  dump->set_help_flag();
  dump->add_flag("-h,--help", arguments.dump_help);
  dump->add_option("--server", arguments.dump.server);
  dump->add_option("--data", arguments.dump.data_directory);
  dump->add_option("-u,--user", arguments.dump.user);
  DeclareClientTls(*dump, arguments.dump.tls);
  dump->add_option("--keyspace", arguments.dump.keyspace);
  dump->add_option("--table", arguments.dump_table);
  dump->add_option("--to", arguments.dump.to);
}

Result<BackupCommandOptions> CheckBackupOptions(const BackupArguments& arguments) {
  BackupCommandOptions options = arguments.backup;
  if (options.data_directory.empty() == options.server.empty()) {
    return InvalidError("backup needs --server HOST:PORT or --data DIR, one of the two", kBackupExample);
  }
  if (options.to.empty()) return InvalidError("backup needs --to DIR", kBackupExample);
  if (!options.user.empty() && options.server.empty()) {
    return InvalidError("--user is for a server: on a data directory nobody has to log in", kBackupExample);
  }
  WR_RETURN_IF_ERROR(CheckClientTls(options.tls, options.server.empty(), "see widerow backup --help"));
  return options;
}

Result<RestoreCommandOptions> CheckRestoreOptions(const BackupArguments& arguments) {
  RestoreCommandOptions options = arguments.restore;
  if (options.from.empty() || options.to.empty()) {
    return InvalidError("restore needs --from DIR and --to DIR", kRestoreExample);
  }
  if (!arguments.until.empty()) { WR_ASSIGN_OR_RETURN(options.until, ParseMoment(arguments.until)); }
  WR_RETURN_IF_ERROR(SplitTable(arguments.table, options.keyspace, options.table));
  return options;
}

Result<DumpCommandOptions> CheckDumpOptions(const BackupArguments& arguments) {
  DumpCommandOptions options = arguments.dump;
  if (options.data_directory.empty() == options.server.empty()) {
    return InvalidError("dump needs --server HOST:PORT or --data DIR, one of the two",
                        "for example: widerow dump --data ./data --to dump.cql");
  }
  if (!options.user.empty() && options.server.empty()) {
    return InvalidError("--user is for a server: on a data directory nobody has to log in");
  }
  WR_RETURN_IF_ERROR(CheckClientTls(options.tls, options.server.empty(), "see widerow dump --help"));
  WR_RETURN_IF_ERROR(SplitTable(arguments.dump_table, options.keyspace, options.table));
  return options;
}

Result<CheckCommandOptions> CheckCheckOptions(const BackupArguments& arguments) {
  const CheckCommandOptions& options = arguments.check;
  if (!options.salvage.empty() && options.data_directory.empty()) {
    return InvalidError("--salvage DIR needs --data DIR",
                        "for example: widerow check --data ./data --salvage ./rescued");
  }
  if (options.data_directory.empty() != options.backup.empty()) return options;
  return InvalidError("check needs --data DIR or --backup DIR, one of the two",
                      "for example: widerow check --data ./data");
}

Result<int64_t> ParseMoment(const std::string& text) {
  constexpr size_t kMillisDigits = 3, kMicrosDigits = 6;
  // CQL's timestamps have milliseconds. So the digits of the microseconds are removed before the text is parsed, and
  // added afterwards.
  std::string millis = text;
  int64_t micros = 0;
  const size_t point = text.find('.');
  const size_t end = point == std::string::npos ? point : text.find_first_not_of("0123456789", point + 1);
  const size_t digits = point == std::string::npos ? 0 : std::min(end, text.size()) - point - 1;
  if (digits > kMillisDigits && digits <= kMicrosDigits) {
    std::string rest = text.substr(point + 1 + kMillisDigits, digits - kMillisDigits);
    rest.resize(kMicrosDigits - kMillisDigits, '0');
    micros = std::stoll(rest);
    millis.erase(point + 1 + kMillisDigits, digits - kMillisDigits);
  }
  const bool has_zone = millis.ends_with('Z') || millis.find_last_of("+-") > millis.find(':');
  if (!has_zone && millis.find(':') != std::string::npos) millis += 'Z';
  const Result<Bytes> parsed = ParseTimestamp(millis);
  if (!parsed.ok()) {
    return InvalidError("--until must be a time, not \"" + text + "\"",
                        "for example 2026-11-27T16:45:03.123456Z, in UTC unless a zone follows");
  }
  return ReadBigEndian<int64_t>(parsed->data()) * 1'000 + micros;
}

}  // namespace widerow
