// Joins the configuration file of `widerow serve` with its command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "server/command_line.h"

namespace CLI {
class App;
}

namespace widerow {

struct ConfigRequest {
  std::string file;
  bool check_only = false;
};

// Parses `command_line`, and with it the options of the file that `command_line` does not contain. `given` is the
// command `serve` after `command_line` alone was parsed. `parse` parses arguments that begin with the command. If
// `check_only` is set, the result is a command that prints all problems of the file; otherwise the first problem is an
// error.
Result<Command> ServeWithFile(const ConfigRequest& request, const std::vector<std::string>& command_line,
                              const CLI::App& given,
                              const std::function<Result<Command>(std::vector<std::string>)>& parse);

}  // namespace widerow
