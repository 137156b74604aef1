// Messages for the server's log. The libraries only call a LogFunction. The program decides where messages go
// (server/server_log.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace widerow {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };

// A named value of a message, for programs that read logs.
struct LogField {
  const char* name;
  std::variant<std::string, int64_t, double> value;
};

struct LogEvent {
  LogLevel level = LogLevel::kInfo;
  const char* component = "";  // The part of the program that logs the message: "storage", "server", …
  std::string message;         // One sentence for people. It never contains a password.
  std::vector<LogField> fields = {};
};

// Receives messages, on any thread. With an empty LogFunction, messages are dropped.
using LogFunction = std::function<void(const LogEvent&)>;

}  // namespace widerow
