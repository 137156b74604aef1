// The command line: arguments to what is to be done. Pure, so that tests need no process.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "server/config.h"
#include "shell/shell.h"

namespace widerow {

struct PrintCommand {
  std::string text;
};  // --help, --version.
using Command = std::variant<PrintCommand, ServeOptions, ShellOptions, CompactOptions>;

// `arguments` without the program's name. kInvalid: wrong usage, with a hint.
Result<Command> ParseCommandLine(std::vector<std::string> arguments);

// "64M", "1T", "1073741824": bytes, binary units. 0 if it is none.
uint64_t ParseSize(const std::string& text);

}  // namespace widerow
