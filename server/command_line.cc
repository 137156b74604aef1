// DeclareOptions lists the options, which CLI11 writes into Arguments. The Check functions, one per command, then
// convert sizes and names and check what depends on several options. The lines of a configuration file become further
// arguments of `serve`, and everything is parsed again.
#include "server/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "server/backup_options.h"
#include "server/config_arguments.h"
#include "server/help_text.h"
#include "server/logging_arguments.h"
#include "server/tls_arguments.h"

namespace widerow {

namespace {

// The values of all options. Dependencies between options are checked after CLI11 has run.
struct Arguments {
  bool help = false, serve_help = false, shell_help = false, compact_help = false, version = false;
  ServeOptions serve;
  std::string port = "9042", http_port = "8042", hbase_port, hbase_thrift_port, map_size, memtable, split_size,
              read_pinned, durability = "sync";
  int64_t read_seconds = 60;
  ShellOptions shell;
  CompactOptions compact;
  LoggingArguments logging;
  std::string config;
  bool check_config = false;
  std::string address;
  std::string profile;  // For serve and shell.
  std::string hbase_thrift_transport = "buffered";
  std::string guardrails = "warn", read_capacity, write_capacity;
  std::vector<std::string> guardrail_settings;
  std::string datacenter = kDefaultDatacenter;
  std::string keep_log;
  BackupArguments backup;
  bool no_extension_warnings = false;
  TlsArguments tls;
};

void DeclareLanguage(CLI::App& command, Arguments& arguments) {
  command.add_option("--profile", arguments.profile);
  command.add_flag("--no-extension-warnings", arguments.no_extension_warnings);
}

void DeclareOptions(CLI::App& app, Arguments& arguments) {
  app.set_help_flag();
  app.add_flag("-h,--help", arguments.help);
  app.add_flag("--version", arguments.version);

  CLI::App* serve = app.add_subcommand("serve");
  serve->set_help_flag();
  serve->add_flag("-h,--help", arguments.serve_help);
  serve->add_option("--data", arguments.serve.data_directory);
  serve->add_option("--port", arguments.port);
  serve->add_option("--http-port", arguments.http_port);
  serve->add_option("--hbase-port", arguments.hbase_port);
  serve->add_option("--hbase-thrift-port", arguments.hbase_thrift_port);
  serve->add_option("--hbase-thrift-transport", arguments.hbase_thrift_transport);
  serve->add_option("--advertise", arguments.serve.advertise);
  serve->add_option("--datacenter", arguments.datacenter);
  serve->add_option("--listen", arguments.serve.listen);
  serve->add_flag("--insecure", arguments.serve.insecure);
  serve->add_flag("--auth", arguments.serve.auth);
  DeclareServeTls(*serve, arguments.tls, arguments.serve.tls);
  serve->add_option("--map-size", arguments.map_size);
  serve->add_option("--memtable", arguments.memtable);
  serve->add_option("--sweep-percent", arguments.serve.sweep_percent);
  serve->add_option("--io-threads", arguments.serve.io_threads);
  serve->add_option("--durability", arguments.durability);
  serve->add_flag("--accept-lost-log", arguments.serve.accept_lost_log);
  serve->add_option("--keep-log", arguments.keep_log);
  serve->add_option("--split-size", arguments.split_size);
  serve->add_option("--split-operations", arguments.serve.balance.split_operations);
  serve->add_option("--guardrails", arguments.guardrails);
  serve->add_option("--guardrail", arguments.guardrail_settings)->allow_extra_args(false);
  serve->add_option("--read-capacity", arguments.read_capacity);
  serve->add_option("--write-capacity", arguments.write_capacity);
  serve->add_option("--read-seconds-max", arguments.read_seconds);
  serve->add_option("--read-pinned-max", arguments.read_pinned);
  serve->add_option("--config", arguments.config);
  serve->add_flag("--check-config", arguments.check_config);
  DeclareLogging(*serve, arguments.logging);
  DeclareLanguage(*serve, arguments);

  CLI::App* shell = app.add_subcommand("shell");
  shell->set_help_flag();
  shell->add_flag("-h,--help", arguments.shell_help);
  shell->add_option("address", arguments.address);
  shell->add_option("--data", arguments.shell.data_directory);
  shell->add_option("-k,--keyspace", arguments.shell.keyspace);
  shell->add_option("-u,--user", arguments.shell.user);
  shell->add_flag("--auth", arguments.shell.roles);
  DeclareClientTls(*shell, arguments.shell.tls);
  shell->add_option("-e,--execute", arguments.shell.execute)->allow_extra_args(false);
  shell->add_option("-f,--file", arguments.shell.files)->allow_extra_args(false);
  shell->add_option("--format", arguments.shell.format);
  DeclareLanguage(*shell, arguments);

  CLI::App* compact = app.add_subcommand("compact");
  compact->set_help_flag();
  compact->add_flag("-h,--help", arguments.compact_help);
  compact->add_option("--data", arguments.compact.data_directory);

  DeclareBackupOptions(app, arguments.backup);
}

// The list of the commit log's segments has room for 8,000 segments of 32 MiB, which are 250 GiB. --keep-log must stay
// below this size.
constexpr uint64_t kKeepLogMax = uint64_t{200} << 30;

Error Usage(std::string message, std::string hint) { return InvalidError(std::move(message), std::move(hint)); }

Error BadPort(const char* option, const std::string& text) {
  return Usage(std::string(option) + " must be a number from 0 to 65535, not \"" + text + "\"",
               "see widerow serve --help");
}

Result<LanguageOptions> CheckLanguage(const Arguments& arguments, const char* see_help) {
  LanguageOptions language{.extension_warnings = !arguments.no_extension_warnings};
  if (arguments.profile.empty()) return language;
  const std::optional<Dialect> dialect = DialectFromName(arguments.profile);
  if (!dialect) return Usage("--profile " + NoSuchDialect(arguments.profile), see_help);
  language.dialect = *dialect;
  return language;
}

bool ParseUnits(const std::string& text, int64_t& units) {
  if (text.empty()) return true;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), units);
  return code == std::errc() && end == text.data() + text.size() && units > 0;
}

Result<EngineOptions> CheckProtection(const Arguments& arguments, const char* see_help) {
  EngineOptions options;
  WR_ASSIGN_OR_RETURN(options.guardrails, MakeGuardrails(arguments.guardrails, arguments.guardrail_settings));
  for (const auto& [option, text, units] :
       {std::tuple("--read-capacity", &arguments.read_capacity, &options.capacity.reads),
        std::tuple("--write-capacity", &arguments.write_capacity, &options.capacity.writes)}) {
    if (!ParseUnits(*text, *units)) {
      return Usage(std::string(option) + " must be a number of units a second, not \"" + *text + "\"", see_help);
    }
  }
  return options;
}

Result<ReadLimits> CheckReads(const Arguments& arguments, const char* see_help) {
  constexpr int64_t kDaySeconds = 86'400;
  ReadLimits limits = DefaultReadLimits(arguments.serve.memtable_bytes);
  if (arguments.read_seconds < 1 || arguments.read_seconds > kDaySeconds) {
    return Usage("--read-seconds-max must be from 1 to 86400, not " + std::to_string(arguments.read_seconds), see_help);
  }
  limits.age_max = std::chrono::seconds(arguments.read_seconds);
  if (arguments.read_pinned.empty()) return limits;
  limits.pinned_bytes_max = ParseSize(arguments.read_pinned);
  if (limits.pinned_bytes_max < (uint64_t{1} << 20) || limits.pinned_bytes_max > (uint64_t{1} << 46)) {
    return Usage("--read-pinned-max must be a size from 1M to 64T, not \"" + arguments.read_pinned + "\"", see_help);
  }
  return limits;
}

// Refuses to serve other machines without logins, unless --insecure allows it.
Status CheckReach(const ServeOptions& options) {
  if (options.auth || IsLoopback(options.listen) || options.insecure) return OkStatus();
  return Usage(
      "--listen " + options.listen + " is reachable from other machines, and there is no authentication",
      "add --insecure if anyone who can reach the port may read and write everything, or --auth to require logins");
}

// Checks --hbase-port. If it is not given, the port stays closed. HBase's clients have no passwords, so they can log in
// with certificates only.
Status CheckHBasePort(const std::string& text, ServeOptions& options) {
  if (text.empty()) return OkStatus();
  if (!ParsePort(text, options.hbase_port.emplace())) return BadPort("--hbase-port", text);
  if (!options.auth || !options.tls.ca_file.empty()) return OkStatus();
  return Usage("--hbase-port with --auth needs TLS and certificates of clients: HBase's clients have no passwords",
               "add --tls-certificate FILE, --tls-key FILE and --tls-ca FILE; with --tls-clients optional, other "
               "clients can still log in with passwords");
}

// Checks --hbase-thrift-port. Clients of Thrift have neither logins nor TLS.
Status CheckThriftPort(const std::string& text, ServeOptions& options) {
  if (text.empty()) return OkStatus();
  if (!ParsePort(text, options.hbase_thrift_port.emplace())) return BadPort("--hbase-thrift-port", text);
  if (options.auth) {
    return Usage("--hbase-thrift-port and --auth exclude each other: clients of Thrift do not log in",
                 "leave one of them out, or run a second server without --auth for clients of Thrift");
  }
  if (options.security != PortSecurity::kTls) return OkStatus();
  return Usage("--hbase-thrift-port needs --tls optional: clients of Thrift have no TLS",
               "add --tls optional if their data may cross the network unencrypted");
}

Status CheckHBase(const Arguments& arguments, ServeOptions& options) {
  WR_RETURN_IF_ERROR(CheckHBasePort(arguments.hbase_port, options));
  WR_RETURN_IF_ERROR(CheckThriftPort(arguments.hbase_thrift_port, options));
  const std::string& transport = arguments.hbase_thrift_transport;
  if (transport != "buffered" && transport != "framed") {
    return Usage("--hbase-thrift-transport must be buffered or framed, not \"" + transport + "\"",
                 "see widerow serve --help");
  }
  options.hbase_thrift_framed = transport == "framed";
  if (options.hbase_port || !options.hbase_thrift_port) return OkStatus();
  return Usage("--hbase-thrift-port needs --hbase-port", "--hbase-port 0 takes any free port");
}

Result<Command> CheckServe(Arguments& arguments) {
  ServeOptions& options = arguments.serve;
  const char* kSeeHelp = "see widerow serve --help";
  if (options.data_directory.empty())
    return Usage("serve needs --data DIR", "for example: widerow serve --data ./data");
  if (!ParsePort(arguments.port, options.port)) return BadPort("--port", arguments.port);
  if (!ParsePort(arguments.http_port, options.http_port)) return BadPort("--http-port", arguments.http_port);
  if (!arguments.map_size.empty()) {
    options.map_bytes = ParseSize(arguments.map_size);
    if (options.map_bytes < (uint64_t{1} << 20) || options.map_bytes > (uint64_t{1} << 46)) {
      return Usage("--map-size must be a size from 1M to 64T, not \"" + arguments.map_size + "\"", kSeeHelp);
    }
  }
  if (!arguments.memtable.empty()) {
    options.memtable_bytes = ParseSize(arguments.memtable);
    if (options.memtable_bytes < (size_t{1} << 20) || options.memtable_bytes > (size_t{64} << 30)) {
      return Usage("--memtable must be a size from 1M to 64G, not \"" + arguments.memtable + "\"", kSeeHelp);
    }
  }
  if (options.sweep_percent < 1 || options.sweep_percent > 100) {
    return Usage("--sweep-percent must be from 1 to 100, not " + std::to_string(options.sweep_percent), kSeeHelp);
  }
  if (options.io_threads < 1 || options.io_threads > 256) {
    return Usage("--io-threads must be from 1 to 256, not " + std::to_string(options.io_threads), kSeeHelp);
  }
  if (!arguments.split_size.empty()) {
    options.balance.split_bytes = static_cast<int64_t>(ParseSize(arguments.split_size));
    if (options.balance.split_bytes < (int64_t{1} << 20) || options.balance.split_bytes > (int64_t{1} << 46)) {
      return Usage("--split-size must be a size from 1M to 64T, not \"" + arguments.split_size + "\"", kSeeHelp);
    }
  }
  if (options.balance.split_operations < 1) {
    return Usage("--split-operations must be at least 1, not " + std::to_string(options.balance.split_operations),
                 kSeeHelp);
  }
  if (!arguments.keep_log.empty()) {
    options.keep_log_bytes = ParseSize(arguments.keep_log);
    if (options.keep_log_bytes < (uint64_t{1} << 20) || options.keep_log_bytes > kKeepLogMax) {
      return Usage("--keep-log must be a size from 1M to 200G, not \"" + arguments.keep_log + "\"", kSeeHelp);
    }
  }
  const std::optional<Durability> durability = DurabilityNamed(arguments.durability);
  if (!durability.has_value()) {
    return Usage("--durability must be sync, periodic or none, not \"" + arguments.durability + "\"", kSeeHelp);
  }
  options.durability = *durability;
  WR_ASSIGN_OR_RETURN(options.language, CheckLanguage(arguments, kSeeHelp));
  WR_ASSIGN_OR_RETURN(options.engine, CheckProtection(arguments, kSeeHelp));
  WR_ASSIGN_OR_RETURN(options.engine.reads, CheckReads(arguments, kSeeHelp));
  WR_RETURN_IF_ERROR(CheckLogging(arguments.logging, options.log, options.engine.watch));
  if (arguments.datacenter.empty()) return Usage("--datacenter needs a name", kSeeHelp);
  options.engine.datacenter = arguments.datacenter;
  if (options.auth) options.engine.access.mode = AccessMode::kLogins;
  WR_RETURN_IF_ERROR(CheckReach(options));
  WR_RETURN_IF_ERROR(CheckServeTls(arguments.tls, options));
  WR_RETURN_IF_ERROR(CheckHBase(arguments, options));
  return Command(std::move(options));
}

Result<Command> CheckShell(Arguments& arguments) {
  ShellOptions& options = arguments.shell;
  const char* kSeeHelp = "see widerow shell --help";
  if (!arguments.address.empty() && !options.data_directory.empty()) {
    return Usage("the shell works on a server or on a data directory, not on both", kSeeHelp);
  }
  const bool names_language = !arguments.profile.empty() || arguments.no_extension_warnings;
  if (names_language && options.data_directory.empty()) {
    return Usage("--profile and --no-extension-warnings are for --data DIR: a server has its own", kSeeHelp);
  }
  if (!options.user.empty() && !options.data_directory.empty()) {
    return Usage("--user is for a server: on a data directory nobody has to log in", kSeeHelp);
  }
  if (options.roles && options.data_directory.empty()) {
    return Usage("--auth is for --data DIR: a server has its own setting", kSeeHelp);
  }
  WR_RETURN_IF_ERROR(CheckClientTls(options.tls, !options.data_directory.empty(), kSeeHelp));
  WR_ASSIGN_OR_RETURN(options.language, CheckLanguage(arguments, kSeeHelp));
  if (!arguments.address.empty()) {
    options.address = arguments.address;
    if (options.address.find(':') == std::string::npos) options.address += ":8042";
  }
  constexpr const char* kFormats[] = {"table", "json", "csv", "expanded"};
  if (std::find(std::begin(kFormats), std::end(kFormats), options.format) == std::end(kFormats)) {
    return Usage("--format must be table, json, csv or expanded, not \"" + options.format + "\"", kSeeHelp);
  }
  return Command(std::move(options));
}

Result<Command> CheckCompact(Arguments& arguments) {
  if (!arguments.compact.data_directory.empty()) return Command(std::move(arguments.compact));
  return Usage("compact needs --data DIR", "for example: widerow compact --data ./data");
}

// Returns the hint for a wrong command line: the page that describes the command.
std::string SeeHelp(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? "see widerow --help" : "see widerow " + commands.front()->get_name() + " --help";
}

constexpr const char* kNoCommand = "a command is missing: serve, shell, compact, backup, restore, check or dump";

// One parse of the arguments.
class Parser {
 public:
  Parser() { DeclareOptions(app_, parsed_); }

  // Must be called once.
  Result<Command> Parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 expects the last argument first.
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) { return Usage(error.what(), SeeHelp(app_)); }
    understood_ = true;
    if (parsed_.help) return Command(PrintCommand{MainHelp()});
    if (parsed_.serve_help) return Command(PrintCommand{ServeHelp()});
    if (parsed_.shell_help) return Command(PrintCommand{ShellHelp()});
    if (parsed_.compact_help) return Command(PrintCommand{CompactHelp()});
    if (parsed_.version) return Command(PrintCommand{VersionText()});
    if (std::optional<Result<Command>> found = ParseBackupCommand(app_)) return std::move(*found);
    if (app_.got_subcommand("serve")) return CheckServe(parsed_);
    if (app_.got_subcommand("shell")) return CheckShell(parsed_);
    if (app_.got_subcommand("compact")) return CheckCompact(parsed_);
    return Usage(kNoCommand, "see widerow --help");
  }

  // True if the options are known and their values have the right types.
  bool understood() const { return understood_; }
  const Arguments& parsed() const { return parsed_; }
  const CLI::App& serve() const { return *app_.get_subcommand("serve"); }

 private:
  // For the commands that backup_options.h declares, returns the parsed command or its help. Returns nullopt for other
  // commands.
  std::optional<Result<Command>> ParseBackupCommand(const CLI::App& app) const {
    const BackupArguments& given = parsed_.backup;
    const auto command = [](auto options) -> Result<Command> {
      return options.ok() ? Command(std::move(*options)) : Result<Command>(std::move(options).error());
    };
    if (given.backup_help) return Result<Command>(PrintCommand{BackupHelp()});
    if (given.restore_help) return Result<Command>(PrintCommand{RestoreHelp()});
    if (given.check_help) return Result<Command>(PrintCommand{CheckHelp()});
    if (given.dump_help) return Result<Command>(PrintCommand{DumpHelp()});
    if (app.got_subcommand("backup")) return command(CheckBackupOptions(given));
    if (app.got_subcommand("restore")) return command(CheckRestoreOptions(given));
    if (app.got_subcommand("check")) return command(CheckCheckOptions(given));
    if (app.got_subcommand("dump")) return command(CheckDumpOptions(given));
    return std::nullopt;
  }

  CLI::App app_;
  Arguments parsed_;
  bool understood_ = false;
};

}  // namespace

uint64_t ParseSize(const std::string& text) {
  uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  if (code != std::errc() || unit.size() > 1) return 0;
  if (unit.empty()) return number;
  const size_t power = std::string_view("KMGT").find(static_cast<char>(unit[0] & ~0x20));
  if (power == std::string_view::npos) return 0;
  const size_t shift = 10 * (power + 1);
  return number > (UINT64_MAX >> shift) ? 0 : number << shift;
}

Result<Command> ParseCommandLine(std::vector<std::string> arguments) {
  if (arguments.empty()) return Usage(kNoCommand, "see widerow --help");
  Parser parser;
  Result<Command> command = parser.Parse(arguments);
  const Arguments& parsed = parser.parsed();
  const bool prints = command.ok() && std::holds_alternative<PrintCommand>(*command);
  if (!parser.understood() || prints) return command;
  if (!parsed.config.empty()) {
    const auto parse = [](std::vector<std::string> joined) { return Parser().Parse(std::move(joined)); };
    return ServeWithFile({parsed.config, parsed.check_config}, arguments, parser.serve(), parse);
  }
  if (parsed.check_config) return Usage("--check-config needs --config FILE", "see widerow serve --help");
  return command;
}

}  // namespace widerow
