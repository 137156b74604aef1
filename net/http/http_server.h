// The HTTP front door: POST /v1/query, GET /v1/schema, GET /healthz, /readyz. JSON in; JSON, NDJSON or CSV out by
// Accept. The formats are specified in docs/reference/http.md.
//
// Start and Stop from one thread. Requests run on the server's own threads, one a core.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace widerow {

class Engine;

struct HttpOptions {
  std::string listen = "127.0.0.1";
  uint16_t port = 8042;  // 0: any free port.
  unsigned threads = 2;
  size_t body_bytes_max = 64u << 20;
  size_t connections_max = 1'024;
  int64_t idle_timeout_ms = 60'000;
};

class HttpServer {
 public:
  // kServerError says what is wrong with the address ("port 8042 on 127.0.0.1 is in use …"). `engine` outlives the
  // server.
  static Result<std::unique_ptr<HttpServer>> Start(Engine& engine, const HttpOptions& options);
  virtual ~HttpServer() = default;          // As Stop().
  virtual void Stop() = 0;                  // Stops accepting, lets running requests finish, joins the threads.
  virtual uint16_t port() const = 0;        // The real one.
  virtual std::string address() const = 0;  // "127.0.0.1:8042"
};

}  // namespace widerow
