#include "server/serve.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "exec/engine/engine.h"
#include "net/http/http_server.h"
#include "net/native/native_server.h"
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

// Lets the next signal end the process at once.
void LetSignalsKill() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
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

}  // namespace

Status Serve(const ServeOptions& options) {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  WR_ASSIGN_OR_RETURN(auto storage, OpenLmdbEngine({.directory = options.data_directory,
                                                    .map_bytes = options.map_bytes,
                                                    .durability = options.durability,
                                                    .memtable_bytes = options.memtable_bytes,
                                                    .sweep_percent = options.sweep_percent,
                                                    .log = Log}));
  EngineOptions engine_options = options.engine;
  engine_options.balance = options.balance;
  engine_options.log = Log;
  Engine engine(std::move(storage), options.language, engine_options);
  if (options.auth) WR_RETURN_IF_ERROR(MakeSuperuser(engine));
  const auto threads = static_cast<unsigned>(options.io_threads);
  WR_ASSIGN_OR_RETURN(auto native, NativeServer::Start(engine, {.listen = options.listen,
                                                                .port = options.port,
                                                                .advertise = options.advertise,
                                                                .threads = threads}));
  WR_ASSIGN_OR_RETURN(
      auto http, HttpServer::Start(engine, {.listen = options.listen, .port = options.http_port, .threads = threads}));
  std::printf("ready cql=%s http=%s data=%s pid=%d\n", native->address().c_str(), http->address().c_str(),
              options.data_directory.c_str(), getpid());
  std::fflush(stdout);

  int received = 0;
  sigwait(&signals, &received);
  Log(std::string(received == SIGINT ? "SIGINT" : "SIGTERM") + ": stopping");
  LetSignalsKill();
  http->Stop();
  native->Stop();
  return {};
}

}  // namespace widerow
