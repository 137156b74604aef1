#include "widerow/embedded_server.h"

#include <cstdlib>
#include <system_error>

#include "embedded/failure.h"
#include "net/descriptors.h"
#include "net/http/http_server.h"
#include "net/native/native_server.h"

namespace widerow {

namespace {

// A new temporary directory, removed with its content by the destructor.
class TemporaryDirectory {
 public:
  TemporaryDirectory() = default;
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  Status Create() {
    std::error_code code;
    std::string name = (std::filesystem::temp_directory_path(code) / "widerow-XXXXXX").string();
    if (code || mkdtemp(name.data()) == nullptr) {
      return ServerError("cannot create a temporary directory for the embedded server: " +
                         (code ? code : std::error_code(errno, std::generic_category())).message());
    }
    path_ = name;
    return {};
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

struct EmbeddedServer::State {  // Destroyed in reverse order: the servers stop before the database closes.
  TemporaryDirectory temporary;
  std::unique_ptr<Database> database;
  std::unique_ptr<NativeServer> native;
  std::unique_ptr<HttpServer> http;
};

EmbeddedServer::EmbeddedServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
EmbeddedServer::~EmbeddedServer() = default;

Expected<std::unique_ptr<EmbeddedServer>> EmbeddedServer::Start(EmbeddedServerOptions options) {
  auto state = std::make_unique<State>();
  if (options.directory.empty()) {
    if (Status created = state->temporary.Create(); !created.ok()) return ToFailure(created.error(), {});
    options.directory = state->temporary.path();
  }
  Expected<std::unique_ptr<Database>> database = Database::Open({.directory = options.directory,
                                                                 .clock = std::move(options.clock),
                                                                 .profile = options.profile,
                                                                 .extension_warnings = options.extension_warnings,
                                                                 .guardrails = options.guardrails,
                                                                 .guardrail_settings = options.guardrail_settings,
                                                                 .datacenter = options.datacenter});
  if (!database.ok()) return database.error();
  state->database = std::move(database).value();
  const ConnectionCaps caps = CapsFor(DescriptorLimit(), {.io_threads = options.threads});
  Result<std::unique_ptr<NativeServer>> native = NativeServer::Start(
      state->database->engine(),
      {.listen = options.listen, .port = options.cql_port, .threads = options.threads, .connections_max = caps.native});
  if (!native.ok()) return ToFailure(native.error(), {});
  state->native = std::move(*native);
  Result<std::unique_ptr<HttpServer>> http = HttpServer::Start(
      state->database->engine(),
      {.listen = options.listen, .port = options.http_port, .threads = options.threads, .connections_max = caps.http});
  if (!http.ok()) return ToFailure(http.error(), {});
  state->http = std::move(*http);
  return std::unique_ptr<EmbeddedServer>(new EmbeddedServer(std::move(state)));
}

uint16_t EmbeddedServer::cql_port() const { return state_->native->port(); }
std::string EmbeddedServer::cql_address() const { return state_->native->address(); }
uint16_t EmbeddedServer::http_port() const { return state_->http->port(); }
std::string EmbeddedServer::http_address() const { return state_->http->address(); }
Database& EmbeddedServer::database() { return *state_->database; }

}  // namespace widerow
