// Paths, methods and headers: which handler answers a request, and which requests are refused before one sees them.
// Thread-safe; free of sockets.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "exec/access/logins.h"
#include "exec/engine.h"
#include "net/http/request.h"
#include "net/worker_pool.h"

namespace widerow {

class HttpApi {
 public:
  HttpApi(Engine& engine, std::string listen) : engine_(engine), listen_(std::move(listen)) {}

  // What is wrong with the request's head, to be answered without reading the body; nullopt if nothing is.
  std::optional<HttpReply> Refuse(const HttpRequest& head) const;
  HttpReply Answer(const HttpRequest& request);
  // Whether answering may hash a password, which keeps a thread busy for some 50 ms on purpose: then workers() should have it, so that
  // no other connection waits.
  static bool MayHashPassword(const HttpRequest& request);
  WorkerPool& workers() { return workers_; }

  // Where logging in is required: who a request says it is from, to be asked before its body is read; nullopt if it needs nobody,
  // or if nobody has to log in at all.
  std::optional<Result<LoginRequest>> LoginOf(const HttpRequest& head) const;
  Logins& logins() { return *engine_.logins(); }
  // 401, which makes browsers ask; 503 if there are too many at once.
  static HttpReply RefuseLogin(const Error& error);
  // From now on /readyz says 503.
  void SetStopping() { stopping_.store(true); }

 private:
  static constexpr size_t kWorkersMax = 2;  // As many as look at passwords of those who log in.

  HttpReply AnswerSchema(std::string_view query) const;
  HttpReply AnswerReady() const;

  Engine& engine_;
  const std::string listen_;
  std::atomic<bool> stopping_{false};
  WorkerPool workers_{kWorkersMax};
};

}  // namespace widerow
