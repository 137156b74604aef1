#include "server/server_log.h"

// On Debian, fmt and spdlog are shared libraries. With these macros only their headers are used, so that the program
// loads no further library when it starts.
#define FMT_HEADER_ONLY
#define SPDLOG_HEADER_ONLY
#include <fcntl.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/mutex.h"
#include "base/overloaded.h"
#include "base/text.h"
#include "types/json_form.h"

namespace widerow {

namespace {

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarning: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::info;
}

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
constexpr const char* kJsonPattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

std::string NumberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", number);
  return text;
}

// Appends the text with \n, \t and \xNN in place of control characters.
void AppendEscaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
      out += escaped;
    } else {
      out.push_back(c);
    }
  }
}

void AppendTextValue(const std::string& value, std::string& out) {
  const bool plain = !value.empty() && value.find_first_of(" \"=\n\t") == std::string::npos;
  if (plain) return AppendEscaped(value, out);
  out.push_back('"');
  std::string quoted;
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  AppendEscaped(quoted, out);
  out.push_back('"');
}

std::string TextLine(const LogEvent& event) {
  std::string line = StrCat(event.component, ": ");
  AppendEscaped(event.message, line);
  for (const LogField& field : event.fields) {
    line += StrCat(" ", field.name, "=");
    std::visit(Overloaded{[&](const std::string& value) { AppendTextValue(value, line); },
                          [&](int64_t value) { line += std::to_string(value); },
                          [&](double value) { line += NumberText(value); }},
               field.value);
  }
  return line;
}

std::string JsonLine(const LogEvent& event) {
  std::string line = "\"component\":";
  AppendJsonString(event.component, line);
  line += ",\"message\":";
  AppendJsonString(event.message, line);
  for (const LogField& field : event.fields) {
    line.push_back(',');
    AppendJsonString(field.name, line);
    line.push_back(':');
    std::visit(Overloaded{[&](const std::string& value) { AppendJsonString(value, line); },
                          [&](int64_t value) { line += std::to_string(value); },
                          [&](double value) { line += NumberText(value); }},
               field.value);
  }
  return line;
}

// A file of the log may hold keys and names: only its owner and its group may read it.
Status CheckFile(const std::string& file) {
  const int fd = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
  if (fd < 0) return ConfigError(StrCat("the log file \"", file, "\" cannot be opened: ", std::strerror(errno)));
  close(fd);
  return OkStatus();
}

}  // namespace

std::string FormatLogLine(const LogEvent& event, bool json) { return json ? JsonLine(event) : TextLine(event); }

// A place to which lines are written: a file or standard error. Reopen replaces the logger.
class ServerLog::Target {
 public:
  Target(std::string file, const LogOptions& options) : file_(std::move(file)), options_(options) {}

  Status Open() WR_EXCLUDES(mutex_) {
    spdlog::sink_ptr sink;
    if (file_.empty()) {
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    } else {
      WR_RETURN_IF_ERROR(CheckFile(file_));
      try {
        sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file_);
      } catch (const spdlog::spdlog_ex& exception) { return ConfigError(exception.what()); }
    }
    sink->set_formatter(std::make_unique<spdlog::pattern_formatter>(options_.json ? kJsonPattern : kTextPattern,
                                                                    spdlog::pattern_time_type::utc));
    auto logger = std::make_shared<spdlog::logger>("widerow", std::move(sink));
    logger->set_level(spdlog::level::trace);
    logger->flush_on(spdlog::level::trace);
    MutexLock lock(mutex_);
    logger_ = std::move(logger);
    return OkStatus();
  }

  void Write(const LogEvent& event) WR_EXCLUDES(mutex_) {
    std::shared_ptr<spdlog::logger> logger;
    {
      MutexLock lock(mutex_);
      logger = logger_;
    }
    // The text is an argument, not a format.
    logger->log(LevelOf(event.level), spdlog::string_view_t(FormatLogLine(event, options_.json)));
  }

  bool has_file() const { return !file_.empty(); }

 private:
  const std::string file_;
  const LogOptions& options_;
  Mutex mutex_;
  std::shared_ptr<spdlog::logger> logger_ WR_GUARDED_BY(mutex_);
};

ServerLog::ServerLog(LogOptions options)
    : options_(std::move(options)), log_(std::make_unique<Target>(options_.file, options_)) {
  if (!options_.audit_file.empty()) audit_ = std::make_unique<Target>(options_.audit_file, options_);
}

ServerLog::~ServerLog() = default;

Result<std::unique_ptr<ServerLog>> ServerLog::Open(LogOptions options) {
  std::unique_ptr<ServerLog> log(new ServerLog(std::move(options)));
  WR_RETURN_IF_ERROR(log->log_->Open());
  if (log->audit_ != nullptr) WR_RETURN_IF_ERROR(log->audit_->Open());
  return log;
}

void ServerLog::Write(const LogEvent& event) {
  if (event.level >= options_.level) log_->Write(event);
}

void ServerLog::Audit(const LogEvent& event) { (audit_ != nullptr ? audit_ : log_)->Write(event); }

void ServerLog::Reopen() {
  for (Target* const target : {log_.get(), audit_.get()}) {
    if (target == nullptr || !target->has_file()) continue;
    if (const Status opened = target->Open(); !opened.ok()) {
      Write({LogLevel::kError, "server", opened.error().message + "; lines still go to the old file"});
    }
  }
}

}  // namespace widerow
