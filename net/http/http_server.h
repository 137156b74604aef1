// The HTTP server. The paths under /v1/ give access to the database; /healthz, /readyz and /metrics are for operators.
// http_api.cc lists all paths. docs/reference/http.md specifies the formats.
//
// One thread calls Start and Stop. Connections belong to the server's own I/O threads (HttpOptions::threads); a pool of
// workers runs the requests.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "net/tls/tls_options.h"

namespace widerow {

class Engine;
class HttpExtension;
class TlsAcceptor;

struct HttpOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 8042;  // 0: any free port.
  unsigned threads = 2;
  size_t body_bytes_max = 64u << 20;
  unsigned workers_max = 128;  // The most requests that run at once.
  size_t connections_max = 1'024;
  // The bounds for the memory of requests and answers: of one connection, and of all connections together
  // (MemoryBudget). Beyond them, pages and parts of answers are shorter, and requests and answers that cannot be
  // divided are refused with 503.
  size_t connection_bytes_max = 64u << 20;
  size_t total_bytes_max = 512u << 20;
  int64_t idle_timeout_ms = 60'000;
  PortSecurity security = PortSecurity::kPlain;
  TlsAcceptor* tls = nullptr;          // Required for TLS; it must outlive the server.
  int64_t tls_handshake_ms = 10'000;   // Time for a new connection's TLS handshake.
  HttpExtension* extension = nullptr;  // Answers requests under /v1/hbase/; null: none. Outlives the server.
};

class HttpServer {
 public:
  // Listens and starts the threads. kServerError describes what is wrong with the address ("port 8042 on 127.0.0.1 is
  // in use …"). `engine` must outlive the server.
  static Result<std::unique_ptr<HttpServer>> Start(Engine& engine, const HttpOptions& options);
  virtual ~HttpServer() = default;  // Does the same as Stop().
  // Returns the bytes of requests and answers that are held at this moment.
  virtual size_t held_bytes() const = 0;
  virtual void Stop() = 0;                  // Stops accepting, lets running requests finish, joins the threads.
  virtual uint16_t port() const = 0;        // The actual port, even if the options have 0.
  virtual std::string address() const = 0;  // For example "127.0.0.1:8042".
};

}  // namespace widerow
