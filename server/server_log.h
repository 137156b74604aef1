// The log of `widerow serve`, and the audit log. A line has the time in UTC, the level, the component, the message and
// its fields, as text or as a JSON object (docs/operate/logs.md). spdlog writes the lines
// (docs/internals/decisions/0032-logs.md).
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "base/result.h"

namespace widerow {

struct LogOptions {
  LogLevel level = LogLevel::kInfo;  // Messages below this level are not logged. Audits have no level.
  bool json = false;
  std::string file;        // Empty: standard error.
  std::string audit_file;  // Empty: audits go to the log.
};

// Returns one line without its end, as text or as JSON. Control characters are escaped, so no value can begin a line.
std::string FormatLogLine(const LogEvent& event, bool json);

// Thread-safe. A line is written before the call returns. If a file cannot be written, for example because the disk is
// full, the line is lost, and standard error says so.
class ServerLog {
 public:
  // kConfigError if a file cannot be opened.
  static Result<std::unique_ptr<ServerLog>> Open(LogOptions options);
  ~ServerLog();

  void Write(const LogEvent& event);
  void Audit(const LogEvent& event);
  // Opens the files again by their names, after a tool has renamed them. If one cannot be opened, the log keeps the old
  // one and says so.
  void Reopen();

  const LogOptions& options() const { return options_; }

 private:
  class Target;

  explicit ServerLog(LogOptions options);

  const LogOptions options_;
  std::unique_ptr<Target> log_;
  std::unique_ptr<Target> audit_;  // Null: audits go to log_.
};

}  // namespace widerow
