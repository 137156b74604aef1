// One client's HTTP connection: reads a request, lets HttpApi answer it, writes the answer, and repeats. Only its I/O
// thread uses it.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <optional>

#include "base/limits.h"
#include "net/client_stream.h"
#include "net/http/http_api.h"
#include "net/http/http_server.h"
#include "net/memory_budget.h"
#include "net/tcp_server.h"

namespace widerow {

// The most bytes that a connection has read and not parsed yet. Bodies are parsed while they arrive. So this bounds the
// head, and each line and the trailer of a chunked body, but not the whole body.
inline constexpr size_t kHttpBufferBytesMax = 128u << 10;

class HttpConnection final : public TcpConnection {
 public:
  // Unless the client is admitted, the connection answers 503 and closes.
  HttpConnection(boost::asio::ip::tcp::socket socket, HttpApi& api, MemoryBudget& budget, const HttpOptions& options,
                 Admission admission)
      : stream_(std::move(socket), {options.security, options.tls}),
        api_(api),
        options_(options),
        admission_(admission),
        memory_(budget, options.connection_bytes_max),
        answer_memory_(memory_, kAnswerCopies, /*alone=*/true) {}

  boost::asio::awaitable<void> Serve() override;
  void Stop() override;
  void Abort() override;
  void CheckTime(Clock::time_point now) override;

 private:
  // An answer is counted as this many times its rows, because the rows and their growing text are in memory at once.
  static constexpr size_t kAnswerCopies = 4;

  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using UploadParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

  // The longest body that is read in parts.
  size_t StreamedBytesMax() const { return std::max<size_t>(options_.body_bytes_max, limits::kLongBlobBytesMax); }

  // Opens the stream: shakes hands if the client speaks TLS. Returns false if the connection ends.
  boost::asio::awaitable<bool> OpenStream();
  boost::asio::awaitable<void> TurnAway();
  // Serves one request. Returns false if the connection ends.
  boost::asio::awaitable<bool> ServeOne();
  // Logs in the client of a request. Returns null if the server requires no login.
  boost::asio::awaitable<Result<std::shared_ptr<const ConnectionFacts>>> Identify(const HttpRequest& request);
  // Serves a request whose body HttpApi takes in parts. Takes over the parser, which has read the head.
  boost::asio::awaitable<bool> ServeUpload(Parser& head, std::shared_ptr<const ConnectionFacts> connection);
  // Reads the body into `part` until `part` is full or the body ends. Returns false if the body is no valid HTTP (then
  // `fault` is the answer) or the client is gone.
  boost::asio::awaitable<bool> ReadPart(UploadParser& parser, std::string& part, size_t& filled,
                                        std::optional<HttpReply>& fault);
  // If the client waits for the answer 100 before it sends the body, sends this answer.
  boost::asio::awaitable<bool> GoOn(unsigned version, std::string_view expect);
  boost::asio::awaitable<Result<UserPtr>> LogIn(Result<LoginRequest> login);
  // Runs `work` on a worker's thread and waits for its end. Throws what `work` throws.
  boost::asio::awaitable<void> OnWorker(std::function<void()> work);
  boost::asio::awaitable<bool> ReadHead(Parser& parser);
  // Counts the body in `memory` while it arrives.
  boost::asio::awaitable<bool> ReadBody(Parser& parser, HeldMemory& memory);
  // Reply, ReplyAndClose and Finish send an answer. Then they close the connection, unless it can serve another
  // request; in that case they return true.
  //
  // Reply answers the parsed request, whose body may be unread.
  boost::asio::awaitable<bool> Reply(const Parser& parser, HttpReply reply);
  // Answers a client that sent no valid request or was refused.
  boost::asio::awaitable<bool> ReplyAndClose(HttpReply reply, bool head_only = false);
  boost::asio::awaitable<bool> Finish(HttpReply reply, unsigned version, bool keep_alive, bool head_only);
  // Sends the answer. Returns false if it could not be sent completely.
  boost::asio::awaitable<bool> Send(HttpReply reply, unsigned version, bool keep_alive, bool head_only);
  boost::asio::awaitable<bool> SendParts(HttpReply& reply, bool chunked);
  // Closes the connection in a way that lets the client read an answer that was sent before the client had sent its
  // whole request.
  boost::asio::awaitable<void> CloseGently();
  // From now on, the client has this time for the next read or write. If this time passes without one, CheckTime closes
  // the connection.
  void ExpireAfter(std::chrono::milliseconds time) { deadline_ = Clock::now() + time; }
  void ExpireAfterIdle() { ExpireAfter(std::chrono::milliseconds(options_.idle_timeout_ms)); }
  // Sets no deadline, because the server works and the client need not do anything.
  void ExpireNever() { deadline_ = Clock::time_point::max(); }

  ClientStream stream_;
  boost::beast::flat_buffer buffer_{kHttpBufferBytesMax};
  HttpApi& api_;
  const HttpOptions& options_;
  const Admission admission_;
  MemoryAccount memory_;
  AnswerMemory answer_memory_;  // The memory of the answer that is being made or sent.
  UserPtr certificate_user_;    // The role of the client's certificate, once it has logged in.
  Clock::time_point deadline_ = Clock::time_point::max();
  bool answering_ = false;
  bool stopping_ = false;
};

}  // namespace widerow
