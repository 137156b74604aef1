#include "server/serve.h"

#include <pthread.h>
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
#include "types/access.h"

namespace widerow {

namespace {

void Log(const std::string& line) { std::fprintf(stderr, "widerow: %s\n", line.c_str()); }

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// The signals that Serve waits for. Without TLS there is nothing to reload, so SIGHUP ends the process as usual.
sigset_t AwaitedSignals(const ServeOptions& options) {
  sigset_t signals = StopSignals();
  if (!options.tls.certificate_file.empty()) sigaddset(&signals, SIGHUP);
  return signals;
}

// Lets the next signal end the process at once.
void LetSignalsKill() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// Returns the connections that the limit of file descriptors allows. Logs a line if they are fewer than usual.
ConnectionCaps ChooseCaps(unsigned io_threads) {
  const uint64_t descriptors = DescriptorLimit();
  const ConnectionCaps caps = CapsFor(descriptors, io_threads), usual;
  if (caps.native < usual.native || caps.http < usual.http) {
    Log(StrCat("the limit of open files is ", descriptors, ", so at most ", caps.native, " CQL and ", caps.http,
               " HTTP connections are accepted; a limit of ", kDescriptorsEnough, " allows ", usual.native, " and ",
               usual.http, " (ulimit -n, LimitNOFILE=)"));
  }
  return caps;
}

// Creates the first role on the first start with --auth.
Status MakeSuperuser(Engine& engine) {
  const char* const password = std::getenv("WIDEROW_SUPERUSER_PASSWORD");
  WR_RETURN_IF_ERROR(engine.EnsureSuperuser(password == nullptr ? "" : password));
  const AccessPtr roles = engine.schema()->access;
  const RoleSchema* const superuser = roles->Find(kDefaultSuperuser);
  if (superuser != nullptr && superuser->default_password) {
    Log("role cassandra has the default password and can log in from this machine only, which includes clients of a "
        "proxy on this machine; to change the password: ALTER ROLE cassandra WITH PASSWORD = '…'");
  }
  return OkStatus();
}

// Opens TLS if the options have a certificate; else returns null. Says what other machines can reach without TLS.
Result<std::unique_ptr<TlsAcceptor>> OpenTls(const ServeOptions& options) {
  if (!IsLoopback(options.listen) && options.security != PortSecurity::kTls) {
    Log(StrCat("clients of other machines can connect without TLS: ",
               options.auth ? "passwords and data cross" : "data crosses", " the network unencrypted; ",
               options.security == PortSecurity::kOptional ? "--tls required" : "--tls-certificate and --tls-key",
               " would prevent this"));
  }
  if (options.tls.certificate_file.empty()) return std::unique_ptr<TlsAcceptor>();
  return TlsAcceptor::Open(options.tls, static_cast<unsigned>(options.io_threads), Log);
}

void Reload(TlsAcceptor& tls) {
  const Status reloaded = tls.Reload();
  if (reloaded.ok()) {
    Log("SIGHUP: new connections use the certificate that has been read again");
  } else {
    Log(StrCat("SIGHUP: the certificate stays as it was: ", reloaded.error().message, "; ", reloaded.error().hint));
  }
}

// Waits for a signal that stops the server, and returns it.
int AwaitStop(const sigset_t& signals, TlsAcceptor* tls) {
  for (;;) {
    int received = 0;
    sigwait(&signals, &received);
    if (received != SIGHUP) return received;
    Reload(*tls);
  }
}

// Runs the database until a signal stops it.
Status ServeStorage(const ServeOptions& options, std::unique_ptr<StorageEngine> storage, const sigset_t& signals) {
  EngineOptions engine_options = options.engine;
  engine_options.balance = options.balance;
  engine_options.log = Log;
  Engine engine(std::move(storage), options.language, engine_options);
  if (options.auth) WR_RETURN_IF_ERROR(MakeSuperuser(engine));
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<TlsAcceptor> tls, OpenTls(options));
  const auto threads = static_cast<unsigned>(options.io_threads);
  const ConnectionCaps caps = ChooseCaps(threads);
  WR_ASSIGN_OR_RETURN(auto native, NativeServer::Start(engine, {.listen = options.listen,
                                                                .port = options.port,
                                                                .advertise = options.advertise,
                                                                .threads = threads,
                                                                .connections_max = caps.native,
                                                                .security = options.security,
                                                                .tls_port = options.tls_port,
                                                                .tls = tls.get()}));
  WR_ASSIGN_OR_RETURN(auto http, HttpServer::Start(engine, {.listen = options.listen,
                                                            .port = options.http_port,
                                                            .threads = threads,
                                                            .connections_max = caps.http,
                                                            .security = options.security,
                                                            .tls = tls.get()}));
  const std::string cqls = options.tls_port ? StrCat(" cqls=", native->tls_address()) : "";
  std::printf("ready cql=%s%s http=%s data=%s pid=%d\n", native->address().c_str(), cqls.c_str(),
              http->address().c_str(), options.data_directory.c_str(), getpid());
  std::fflush(stdout);

  const int received = AwaitStop(signals, tls.get());
  Log(std::string(received == SIGINT ? "SIGINT" : "SIGTERM") + ": stopping");
  LetSignalsKill();
  http->Stop();
  native->Stop();
  return {};
}

}  // namespace

Status Serve(const ServeOptions& options) {
  const sigset_t signals = AwaitedSignals(options);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  // A write beyond the limit of a file's size (ulimit -f) then fails as on a full disk.
  ::signal(SIGXFSZ, SIG_IGN);
  RaiseDescriptorLimit();

  std::optional<Error> closing;
  WR_ASSIGN_OR_RETURN(auto storage, OpenLmdbEngine({.directory = options.data_directory,
                                                    .map_bytes = options.map_bytes,
                                                    .durability = options.durability,
                                                    .memtable_bytes = options.memtable_bytes,
                                                    .sweep_percent = options.sweep_percent,
                                                    .accept_lost_log = options.accept_lost_log,
                                                    .keep_log_bytes = options.keep_log_bytes,
                                                    .log = Log,
                                                    .closing_failed = [&](const Error& error) {
                                                      if (!closing) closing = error;
                                                    }}));
  WR_RETURN_IF_ERROR(ServeStorage(options, std::move(storage), signals));
  if (!closing) return {};
  closing->message = "closing the data directory failed: " + closing->message;
  return *closing;
}

}  // namespace widerow
