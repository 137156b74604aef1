#include "server/logging_arguments.h"

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace widerow {

namespace {

constexpr const char* kSeeHelp = "see widerow serve --help";
constexpr int64_t kSlowMsMax = 86'400'000;

std::optional<LogLevel> LevelNamed(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "info") return LogLevel::kInfo;
  if (name == "warning") return LogLevel::kWarning;
  if (name == "error") return LogLevel::kError;
  return std::nullopt;
}

}  // namespace

void DeclareLogging(CLI::App& command, LoggingArguments& arguments) {
  command.add_option("--log-level", arguments.level);
  command.add_option("--log-format", arguments.format);
  command.add_option("--log-file", arguments.file);
  command.add_option("--slow-statement-ms", arguments.slow_statement_ms);
  command.add_option("--audit", arguments.audit);
  command.add_option("--audit-file", arguments.audit_file);
  command.add_flag("--log-literals", arguments.literals);
}

Status CheckLogging(const LoggingArguments& arguments, LogOptions& log, WatchOptions& watch) {
  const std::optional<LogLevel> level = LevelNamed(arguments.level);
  if (!level) {
    return InvalidError(StrCat("--log-level must be debug, info, warning or error, not \"", arguments.level, "\""),
                        kSeeHelp);
  }
  log.level = *level;
  if (arguments.format != "text" && arguments.format != "json") {
    return InvalidError(StrCat("--log-format must be text or json, not \"", arguments.format, "\""), kSeeHelp);
  }
  log.json = arguments.format == "json";
  log.file = arguments.file;
  log.audit_file = arguments.audit_file;
  if (arguments.slow_statement_ms < 0 || arguments.slow_statement_ms > kSlowMsMax) {
    return InvalidError(
        StrCat("--slow-statement-ms must be from 0 to ", kSlowMsMax, ", not ", arguments.slow_statement_ms), kSeeHelp);
  }
  watch.slow_from = std::chrono::milliseconds(arguments.slow_statement_ms);
  watch.literals = arguments.literals;
  if (!arguments.audit.empty()) {
    const std::optional<AuditCategories> categories = AuditCategories::Named(arguments.audit);
    if (!categories) {
      return InvalidError(StrCat("--audit must be all, or some of auth, ddl, dcl, dml, query, other and error with "
                                 "commas between them, not \"",
                                 arguments.audit, "\""),
                          kSeeHelp);
    }
    watch.audit = *categories;
  } else if (!arguments.audit_file.empty()) {
    return InvalidError("--audit-file needs --audit", "for example: --audit auth,ddl,dcl");
  }
  return OkStatus();
}

}  // namespace widerow
