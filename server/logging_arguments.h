// Declares and checks the options of `widerow serve` about logs.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "exec/watch/watch_options.h"
#include "server/server_log.h"

namespace CLI {
class App;
}

namespace widerow {

struct LoggingArguments {
  std::string level = "info", format = "text", file;
  std::string audit, audit_file;
  int64_t slow_statement_ms = 500;
  bool literals = false;
};

void DeclareLogging(CLI::App& command, LoggingArguments& arguments);

// Fills the options, except for the functions of WatchOptions. kInvalid names the option that is wrong.
Status CheckLogging(const LoggingArguments& arguments, LogOptions& log, WatchOptions& watch);

}  // namespace widerow
