// Parses the command line, and the configuration file that it names, into a command.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "server/backup_options.h"
#include "server/config.h"
#include "shell/shell.h"

namespace widerow {

// --help, --version and --check-config.
struct PrintCommand {
  std::string text;
  bool failed = false;  // True if `text` goes to standard error and the exit status is 1.
};
using Command = std::variant<PrintCommand, ServeOptions, ShellOptions, CompactOptions, BackupCommandOptions,
                             RestoreCommandOptions, CheckCommandOptions, DumpCommandOptions>;

// `arguments` does not contain the program's name. kInvalid for wrong usage, with a hint.
Result<Command> ParseCommandLine(std::vector<std::string> arguments);

// Parses a size in bytes with binary units: "64M", "1T", "1073741824". Returns 0 if it is no size.
uint64_t ParseSize(const std::string& text);

}  // namespace widerow
