// Paths, methods and headers of the HTTP API: chooses the handler that answers a request, and refuses requests before a
// handler sees them. Thread-safe; knows no sockets.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "exec/access/logins.h"
#include "exec/engine/engine.h"
#include "net/http/request.h"
#include "net/worker_pool.h"

namespace widerow {

class TlsAcceptor;

class HttpApi {
 public:
  // `tls` is null if the server has no TLS. `extension` answers requests under /v1/hbase/; it may be null.
  HttpApi(Engine& engine, std::string listen, size_t workers_max, const TlsAcceptor* tls,
          HttpExtension* extension = nullptr)
      : engine_(engine), listen_(std::move(listen)), tls_(tls), extension_(extension), workers_(workers_max) {}

  // Checks the request's head. Returns a reply that refuses the request, so that its body is not read; nullopt if the
  // request may go on.
  std::optional<HttpReply> Refuse(const HttpRequest& head) const;
  HttpReply Answer(const HttpRequest& request);
  // True if the body must be read in parts, with OpenSink instead of Answer.
  static bool StreamsBody(const HttpRequest& head);
  // Opens the sink for the body. Like Answer, the sink must be used on a thread of workers().
  OpenedSink OpenSink(const HttpRequest& head);
  // True if Answer is quick enough for the connection's own thread. That holds for checks of health. workers() run all
  // other requests, and the sources of their bodies, so that no other connection waits for them.
  static bool AnswersAtOnce(const HttpRequest& request);
  WorkerPool& workers() { return workers_; }

  // Returns the login that the request's head contains, to be checked before the body is read. nullopt if the path
  // needs no login, or if the server requires none.
  std::optional<Result<LoginRequest>> LoginOf(const HttpRequest& head) const;
  Logins& logins() { return *engine_.logins(); }
  bool logins_required() const { return engine_.logins() != nullptr; }
  StatementLog& statement_log() const { return *engine_.statement_log(); }
  // Returns 401, which makes browsers ask for a password, or 503 if too many logins run at once.
  static HttpReply RefuseLogin(const Error& error);
  // Counts an answer, for /metrics.
  void Count(const HttpReply& reply);
  // Makes /readyz answer 503 from now on.
  void SetStopping() { stopping_.store(true); }

 private:
  HttpReply AnswerSchema(std::string_view query) const;
  HttpReply AnswerReady() const;

  Engine& engine_;
  const std::string listen_;
  const TlsAcceptor* const tls_;
  HttpExtension* const extension_;
  std::atomic<bool> stopping_{false};
  WorkerPool workers_;
};

}  // namespace widerow
