// Serve calls ServeOne until the connection ends. ServeOne reads the head, lets HttpApi refuse it, checks the login,
// reads the body, and sends HttpApi's answer. A worker makes the answer (OnWorker), unless the request is a check of
// health. An answer with a BodySource is sent in parts, chunked for HTTP/1.1; a worker makes each part. LogIn and
// OnWorker wait on a timer that another thread's result cancels.
#include "net/http/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/text.h"
#include "net/certificate_login.h"
#include "net/endpoint.h"
#include "net/http/error_reply.h"
#include "net/http/framing.h"
#include "net/http/request_head.h"

namespace widerow {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr auto kLingerTime = std::chrono::seconds(2);

http::response<http::string_body> MakeMessage(HttpReply& reply, unsigned version, bool keep_alive) {
  http::response<http::string_body> message(static_cast<http::status>(reply.status), version);
  message.set(http::field::content_type, reply.content_type);
  message.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : reply.headers) message.insert(name, value);
  message.keep_alive(keep_alive);
  message.body() = std::move(reply.body);
  return message;
}

}  // namespace

void HttpConnection::Abort() {
  beast::error_code ignored;
  stream_.socket().close(ignored);
}

void HttpConnection::Stop() {
  stopping_ = true;
  if (!answering_) Abort();
}

void HttpConnection::CheckTime(Clock::time_point now) {
  if (now > deadline_) Abort();
}

asio::awaitable<void> HttpConnection::Serve() {
  beast::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  if (!co_await OpenStream()) co_return;
  if (admission_ != Admission::kServed) co_return co_await TurnAway();
  for (bool again = true; again;) {
    again = co_await ServeOne();
    answering_ = false;
  }
}

asio::awaitable<bool> HttpConnection::OpenStream() {
  ExpireAfter(std::chrono::milliseconds(options_.tls_handshake_ms));
  const ClientStream::Opened opened = co_await stream_.Open(shared_from_this());
  ExpireNever();
  if (opened == ClientStream::Opened::kNotEncrypted) {
    co_await ReplyAndClose(HttpErrorReply(400, "this port requires TLS", "use https:// instead of http://"));
  }
  co_return opened == ClientStream::Opened::kReady;
}

asio::awaitable<void> HttpConnection::TurnAway() {
  HttpReply reply = admission_ == Admission::kTooMany
                        ? HttpErrorReply(503, StrCat("too many connections: ", options_.connections_max, " are open"),
                                         "close idle connections")
                        : HttpErrorReply(503, "too many connections from this address have not logged in",
                                         "wait until they have, or close them");
  co_await ReplyAndClose(std::move(reply));
}

asio::awaitable<bool> HttpConnection::ServeOne() {
  Parser parser;
  parser.header_limit(kHttpHeaderBytesMax);
  parser.body_limit(StreamedBytesMax());
  if (!co_await ReadHead(parser)) co_return false;
  const bool streams = HttpApi::StreamsBody(HeadOf(parser.get()));
  if (!streams) {
    if (parser.content_length().value_or(0) > options_.body_bytes_max) {
      co_return co_await ReplyAndClose(*ReplyToUnreadable(http::error::body_limit, options_.body_bytes_max));
    }
    parser.body_limit(options_.body_bytes_max);
  }

  const bool head_only = parser.get().method() == http::verb::head;
  if (std::string fault = FramingFault(parser.get()); !fault.empty()) {
    co_return co_await ReplyAndClose(HttpErrorReply(400, std::move(fault)), head_only);
  }
  HttpRequest request = HeadOf(parser.get());  // Called before the body is read, because a trailer adds fields.
  request.secure = stream_.tls() != nullptr;
  if (std::optional<HttpReply> refusal = api_.Refuse(request)) co_return co_await Reply(parser, std::move(*refusal));
  Result<std::shared_ptr<const ConnectionFacts>> identified = co_await Identify(request);
  if (!identified.ok()) co_return co_await Reply(parser, HttpApi::RefuseLogin(identified.error()));
  std::shared_ptr<const ConnectionFacts> connection = std::move(*identified);
  if (connection != nullptr || !api_.logins_required()) Trust();
  if (streams) co_return co_await ServeUpload(parser, std::move(connection));
  HeldMemory body_memory(memory_);
  if (!parser.is_done() && !co_await ReadBody(parser, body_memory)) co_return false;

  if (connection == nullptr && api_.statement_log().on()) request.client = FactsOf(stream_.socket(), std::nullopt);
  answering_ = true;
  ExpireNever();
  request.connection = std::move(connection);
  request.body = parser.get().body();
  request.room = &answer_memory_;
  HttpReply reply;
  std::function<void()> answer = [&] {
    reply = api_.Answer(request);
    answer_memory_.Encoded(reply.body.capacity() + (reply.rest ? reply.rest->held_bytes() : 0));
  };
  if (HttpApi::AnswersAtOnce(request)) {
    answer();
  } else {
    answer_memory_.Start();
    co_await OnWorker(std::move(answer));
  }
  const bool more = co_await Reply(parser, std::move(reply));
  answer_memory_.Encoded(0);
  co_return more;
}

asio::awaitable<Result<std::shared_ptr<const ConnectionFacts>>> HttpConnection::Identify(const HttpRequest& request) {
  std::optional<Result<LoginRequest>> login = api_.LoginOf(request);
  if (!login) co_return std::shared_ptr<const ConnectionFacts>();
  ExpireNever();
  const std::string role = login->ok() ? (*login)->role : std::string();
  // A name and a password in the request take precedence over the certificate.
  std::optional<Result<UserPtr>> user;
  if (request.authorization.empty()) user = UserOfCertificate(stream_.tls(), api_.logins(), certificate_user_);
  if (!user) {
    user = co_await LogIn(std::move(*login));
  } else if (user->ok()) {
    certificate_user_ = **user;
  }
  if (!user->ok()) {
    api_.statement_log().EndLogin(role, FactsOf(stream_.socket(), std::nullopt)->client_address, &user->error());
    co_return user->error();
  }
  ConnectionFacts known = *FactsOf(stream_.socket(), std::nullopt);
  known.user = **user;
  co_return std::make_shared<const ConnectionFacts>(std::move(known));
}

asio::awaitable<bool> HttpConnection::GoOn(unsigned version, std::string_view expect) {
  // A client of HTTP/1.0 does not know the interim answer 100. It would take the interim answer for the answer to its
  // request.
  if (version < 11 || !beast::iequals(beast::string_view(expect.data(), expect.size()), "100-continue")) co_return true;
  ExpireAfterIdle();
  const std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  const auto [code, size] = co_await asio::async_write(stream_, asio::buffer(go_on), kTuple);
  co_return !code;
}

asio::awaitable<Result<UserPtr>> HttpConnection::LogIn(Result<LoginRequest> login) {
  if (!login.ok()) co_return login.error();
  login->address = FactsOf(stream_.socket(), std::nullopt)->client_address;
  struct Wait {
    explicit Wait(const boost::asio::any_io_executor& executor)
        : done(executor, asio::steady_timer::time_point::max()) {}
    asio::steady_timer done;
    std::optional<Result<UserPtr>> user;
  };
  const auto wait = std::make_shared<Wait>(stream_.get_executor());
  // The function keeps the connection alive until it has posted the result to the connection's thread.
  api_.logins().Login(std::move(*login), [self = shared_from_this(), wait](Result<UserPtr> user) {
    asio::post(wait->done.get_executor(), [self, wait, user = std::move(user)]() mutable {
      wait->user = std::move(user);
      wait->done.cancel();
    });
  });
  while (!wait->user) co_await wait->done.async_wait(kTuple);
  co_return std::move(*wait->user);
}

asio::awaitable<void> HttpConnection::OnWorker(std::function<void()> work) {
  struct Wait {
    explicit Wait(const boost::asio::any_io_executor& executor)
        : done(executor, asio::steady_timer::time_point::max()) {}
    asio::steady_timer done;
    bool ended = false;
    std::exception_ptr thrown;
  };
  class WorkTask final : public WorkerPool::Task {
   public:
    WorkTask(std::function<void()> work, std::shared_ptr<void> connection, std::shared_ptr<Wait> wait)
        : work_(std::move(work)), connection_(std::move(connection)), wait_(std::move(wait)) {}
    void Run() override {
      std::exception_ptr thrown;
      try {
        work_();
      } catch (...) { thrown = std::current_exception(); }
      // The task keeps the connection alive until it has posted the result to the connection's thread.
      const boost::asio::any_io_executor executor = wait_->done.get_executor();
      asio::post(executor, [self = std::move(connection_), wait = std::move(wait_), thrown] {
        wait->ended = true;
        wait->thrown = thrown;
        wait->done.cancel();
      });
    }

   private:
    const std::function<void()> work_;
    std::shared_ptr<void> connection_;
    std::shared_ptr<Wait> wait_;
  };
  const auto wait = std::make_shared<Wait>(stream_.get_executor());
  api_.workers().Submit(std::make_unique<WorkTask>(std::move(work), shared_from_this(), wait));
  while (!wait->ended) co_await wait->done.async_wait(kTuple);
  if (wait->thrown != nullptr) std::rethrow_exception(wait->thrown);
}

asio::awaitable<bool> HttpConnection::ReadHead(Parser& parser) {
  ExpireAfterIdle();
  const auto [code, size] = co_await http::async_read_header(stream_, buffer_, parser, kTuple);
  if (!code) co_return true;
  // If the body is too long, the parser fails, but only after it has parsed the head. So the head can be used here.
  const bool streams = HttpApi::StreamsBody(HeadOf(parser.get()));
  if (std::optional<HttpReply> reply =
          ReplyToUnreadable(code, streams ? StreamedBytesMax() : options_.body_bytes_max)) {
    co_await ReplyAndClose(std::move(*reply));
  }
  co_return false;
}

asio::awaitable<bool> HttpConnection::ReadBody(Parser& parser, HeldMemory& memory) {
  // A request is counted as this many times its body, because answering the request copies parts of the body.
  constexpr size_t kCopies = 2;
  ExpireAfterIdle();
  if (!co_await GoOn(parser.get().version(), HeaderValue(parser.get(), http::field::expect))) co_return false;
  parser.eager(true);
  while (!parser.is_done()) {
    const auto [code, size] = co_await http::async_read_some(stream_, buffer_, parser, kTuple);
    std::optional<HttpReply> refusal;
    if (code) {
      refusal = ReplyToUnreadable(code, options_.body_bytes_max);
    } else if (!memory.RaiseWhole(kCopies * parser.get().body().size())) {
      refusal = NoMemoryReply();
    } else {
      continue;
    }
    if (refusal) co_await ReplyAndClose(std::move(*refusal));
    co_return false;
  }
  co_return true;
}

asio::awaitable<bool> HttpConnection::Reply(const Parser& parser, HttpReply reply) {
  const auto& message = parser.get();
  const unsigned version = message.version();
  // The connection must close if the body is unread, because its rest would be taken for the next request. It must also
  // close after an answer in parts to HTTP/1.0 if its length is unknown, because only the close ends this answer.
  const bool keep_alive =
      parser.is_done() && message.keep_alive() && !stopping_ && !(reply.rest && !reply.length && version < 11);
  return Finish(std::move(reply), version, keep_alive, message.method() == http::verb::head);
}

asio::awaitable<bool> HttpConnection::ReplyAndClose(HttpReply reply, bool head_only) {
  return Finish(std::move(reply), 11, false, head_only);
}

asio::awaitable<bool> HttpConnection::Finish(HttpReply reply, unsigned version, bool keep_alive, bool head_only) {
  answering_ = true;
  api_.Count(reply);
  const bool sent = co_await Send(std::move(reply), version, keep_alive, head_only);
  if (sent && !keep_alive) co_await CloseGently();
  co_return sent&& keep_alive && !stopping_;
}

asio::awaitable<bool> HttpConnection::Send(HttpReply reply, unsigned version, bool keep_alive, bool head_only) {
  ExpireAfterIdle();
  if (reply.rest && !head_only) {
    const bool chunked = version >= 11 && !reply.length;
    http::response<http::empty_body> message(static_cast<http::status>(reply.status), version);
    message.set(http::field::content_type, reply.content_type);
    message.set("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : reply.headers) message.insert(name, value);
    message.keep_alive(keep_alive);
    if (chunked) message.chunked(true);
    if (reply.length) message.content_length(*reply.length);
    http::response_serializer<http::empty_body> serializer(message);
    const auto [code, size] = co_await http::async_write_header(stream_, serializer, kTuple);
    if (code) co_return false;
    co_return co_await SendParts(reply, chunked);
  }
  http::response<http::string_body> message = MakeMessage(reply, version, keep_alive);
  message.prepare_payload();
  if (reply.length) message.content_length(*reply.length);
  if (head_only) message.body().clear();  // Content-Length stays, as HEAD requires.
  const auto [code, size] = co_await http::async_write(stream_, message, kTuple);
  co_return !code;
}

asio::awaitable<bool> HttpConnection::SendParts(HttpReply& reply, bool chunked) {
  std::string part = std::move(reply.body);
  BodySource::State state = BodySource::State::kMore;
  for (;;) {
    ExpireAfterIdle();  // The time begins anew with each part. So a slow client may take long if it keeps reading.
    if (chunked && !part.empty()) {
      const auto [code, size] = co_await asio::async_write(stream_, http::make_chunk(asio::buffer(part)), kTuple);
      if (code) co_return false;
    } else if (!part.empty()) {
      const auto [code, size] = co_await asio::async_write(stream_, asio::buffer(part), kTuple);
      if (code) co_return false;
    }
    if (state != BodySource::State::kMore) break;
    ExpireNever();
    std::function<void()> next = [&] {
      state = reply.rest->Next(part);
      answer_memory_.Encoded(part.capacity() + reply.rest->held_bytes());
    };
    co_await OnWorker(std::move(next));
  }
  if (state == BodySource::State::kFailed) co_return false;
  if (!chunked) co_return true;
  const auto [code, size] = co_await asio::async_write(stream_, http::make_chunk_last(), kTuple);
  co_return !code;
}

asio::awaitable<void> HttpConnection::CloseGently() {
  stream_.ShutdownSend();
  ExpireAfter(kLingerTime);
  buffer_.clear();
  char scratch[4'096];
  for (;;) {
    const auto [code, size] = co_await stream_.async_read_some(asio::buffer(scratch), kTuple);
    if (code) break;
  }
}

}  // namespace widerow
