#include "server/serve.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "exec/engine/engine.h"
#include "net/descriptors.h"
#include "net/http/http_server.h"
#include "net/native/native_server.h"
#include "net/tls/tls_acceptor.h"
#include "server/hbase_ports.h"
#include "server/limits_check.h"
#include "server/service_manager.h"
#include "server/signals.h"
#include "types/access.h"

namespace widerow {

namespace {

// The objects that all parts of a running server share.
struct Surroundings {
  ServerLog& log;
  Signals& signals;
  ServiceManager& manager;

  void Say(LogLevel level, std::string message) const { log.Write({level, "server", std::move(message)}); }
};

// Creates the first role on the first start with --auth.
Status MakeSuperuser(Engine& engine, const Surroundings& around) {
  const char* const password = std::getenv("WIDEROW_SUPERUSER_PASSWORD");
  WR_RETURN_IF_ERROR(engine.EnsureSuperuser(password == nullptr ? "" : password));
  const AccessPtr roles = engine.schema()->access;
  const RoleSchema* const superuser = roles->Find(kDefaultSuperuser);
  if (superuser != nullptr && superuser->default_password) {
    around.Say(LogLevel::kWarning,
               "role cassandra has the default password and can log in from this machine only, which includes clients "
               "of a proxy on this machine; to change the password: ALTER ROLE cassandra WITH PASSWORD = '…'");
  }
  return OkStatus();
}

// Returns the options with which clients could connect with TLS only.
std::string_view WithoutPlain(const ServeOptions& options) {
  if (options.hbase_thrift_port) return "--tls required without --hbase-thrift-port, which has no TLS,";
  return options.security == PortSecurity::kOptional ? "--tls required" : "--tls-certificate and --tls-key";
}

// Opens TLS if the options have a certificate; else returns null. Logs a warning if clients of other machines can
// connect without TLS.
Result<std::unique_ptr<TlsAcceptor>> OpenTls(const ServeOptions& options, const Surroundings& around) {
  if (!IsLoopback(options.listen) && options.security != PortSecurity::kTls) {
    around.Say(LogLevel::kWarning, StrCat("clients of other machines can connect without TLS",
                                          options.hbase_port && !options.auth ? ", also to --hbase-port" : "", ": ",
                                          options.auth ? "passwords and data cross" : "data crosses",
                                          " the network unencrypted; ", WithoutPlain(options), " would prevent this"));
  }
  if (options.tls.certificate_file.empty()) return std::unique_ptr<TlsAcceptor>();
  const auto say = [&log = around.log](const std::string& line) { log.Write({LogLevel::kWarning, "tls", line}); };
  WR_ASSIGN_OR_RETURN(std::unique_ptr<TlsAcceptor> tls,
                      TlsAcceptor::Open(options.tls, static_cast<unsigned>(options.io_threads), say));
  around.signals.OnReload([&log = around.log, acceptor = tls.get()] {
    const Status reloaded = acceptor->Reload();
    if (reloaded.ok()) {
      log.Write({LogLevel::kInfo, "tls", "SIGHUP: new connections use the certificate that has been read again"});
    } else {
      log.Write(
          {LogLevel::kError, "tls",
           StrCat("SIGHUP: the certificate stays as it was: ", reloaded.error().message, "; ", reloaded.error().hint)});
    }
  });
  return tls;
}

EngineOptions EngineOptionsOf(const ServeOptions& options, const Surroundings& around) {
  EngineOptions made = options.engine;
  made.balance = options.balance;
  made.log = made.watch.log = [&log = around.log](const LogEvent& event) { log.Write(event); };
  made.watch.audit_log = [&log = around.log](const LogEvent& event) { log.Audit(event); };
  return made;
}

ServersOfProcess ServersOf(const ServeOptions& options) {
  return {.io_threads = static_cast<unsigned>(options.io_threads),
          .hbase = options.hbase_port.has_value(),
          .thrift = options.hbase_thrift_port.has_value()};
}

// Runs the database until a signal stops it.
Status ServeStorage(const ServeOptions& options, std::unique_ptr<StorageEngine> storage, const Surroundings& around) {
  Engine engine(std::move(storage), options.language, EngineOptionsOf(options, around));
  if (options.auth) WR_RETURN_IF_ERROR(MakeSuperuser(engine, around));
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<TlsAcceptor> tls, OpenTls(options, around));
  const auto threads = static_cast<unsigned>(options.io_threads);
  const ConnectionCaps caps = CapsFor(DescriptorLimit(), ServersOf(options));
  WR_ASSIGN_OR_RETURN(auto native, NativeServer::Start(engine, {.listen = options.listen,
                                                                .port = options.port,
                                                                .advertise = options.advertise,
                                                                .threads = threads,
                                                                .connections_max = caps.native,
                                                                .security = options.security,
                                                                .tls_port = options.tls_port,
                                                                .tls = tls.get()}));
  WR_ASSIGN_OR_RETURN(HBasePorts hbase_ports, OpenHBasePorts(engine, options, tls.get(), caps));
  WR_ASSIGN_OR_RETURN(auto http, HttpServer::Start(engine, {.listen = options.listen,
                                                            .port = options.http_port,
                                                            .threads = threads,
                                                            .connections_max = caps.http,
                                                            .security = options.security,
                                                            .tls = tls.get(),
                                                            .extension = hbase_ports.http()}));
  const std::string ports = hbase_ports.Addresses();
  const std::string cqls = options.tls_port ? StrCat(" cqls=", native->tls_address()) : "";
  const std::string addresses = StrCat("cql=", native->address(), cqls, " http=", http->address(), ports);
  around.Say(LogLevel::kInfo, StrCat("ready ", addresses));
  around.manager.Ready(addresses);
  std::printf("ready %s data=%s pid=%d\n", addresses.c_str(), options.data_directory.c_str(), getpid());
  std::fflush(stdout);

  const int received = around.signals.WaitForStop();
  around.Say(LogLevel::kInfo, std::string(received == SIGINT ? "SIGINT" : "SIGTERM") + ": stopping");
  around.manager.Stopping("bringing all writes into the data file");
  Signals::LetSignalsKill();
  http->Stop();
  hbase_ports.Stop();
  native->Stop();
  return {};
}

Status OpenAndServe(const ServeOptions& options, const Surroundings& around) {
  const SystemLimits limits = ReadSystemLimits();
  const ServerNeeds needs{
      .map_bytes = options.map_bytes, .memtable_bytes = options.memtable_bytes, .servers = ServersOf(options)};
  around.Say(LogLevel::kDebug, LimitsText(limits));
  for (std::string& problem : CheckLimits(limits, needs)) around.Say(LogLevel::kWarning, std::move(problem));
  around.manager.Starting("opening the data directory");
  std::optional<Error> closing;
  WR_ASSIGN_OR_RETURN(auto storage,
                      OpenLmdbEngine({.directory = options.data_directory,
                                      .map_bytes = options.map_bytes,
                                      .durability = options.durability,
                                      .memtable_bytes = options.memtable_bytes,
                                      .sweep_percent = options.sweep_percent,
                                      .accept_lost_log = options.accept_lost_log,
                                      .keep_log_bytes = options.keep_log_bytes,
                                      .log = [&log = around.log](const LogEvent& event) { log.Write(event); },
                                      .closing_failed =
                                          [&](const Error& error) {
                                            if (!closing) closing = error;
                                          }}));
  WR_RETURN_IF_ERROR(ServeStorage(options, std::move(storage), around));
  if (!closing) return {};
  closing->message = "closing the data directory failed: " + closing->message;
  return *closing;
}

}  // namespace

Status Serve(const ServeOptions& options, bool& told) {
  Signals signals;
  ::signal(SIGPIPE, SIG_IGN);
  // A write beyond the limit of a file's size (ulimit -f) then fails as on a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
  RaiseDescriptorLimit();
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<ServerLog> log, ServerLog::Open(options.log));
  signals.OnReload([&log = *log] {
    log.Reopen();
    log.Write({LogLevel::kInfo, "server", "SIGHUP: the log files are open again by their names"});
  });
  ServiceManager manager;
  Status served = OpenAndServe(options, {*log, signals, manager});
  // main() writes the error to standard error as text. A log that is text on standard error would only repeat it.
  if (!served.ok() && (options.log.json || !options.log.file.empty())) {
    const Error& error = served.error();
    log->Write({LogLevel::kError, "server", error.hint.empty() ? error.message : error.message + "; " + error.hint});
    told = options.log.file.empty();
  }
  return served;
}

}  // namespace widerow
