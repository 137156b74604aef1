// The part of HttpConnection that serves a request whose body is taken in parts: PUT /v1/blob. The next part is read
// when a worker has taken the previous one, so a client can send as fast as the storage takes it.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "net/http/connection.h"
#include "net/http/request_head.h"

namespace widerow {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr auto kUploadTuple = asio::as_tuple(asio::use_awaitable);
constexpr size_t kUploadPartBytes = 256u << 10;

}  // namespace

asio::awaitable<bool> HttpConnection::ServeUpload(Parser& head, std::shared_ptr<const ConnectionFacts> connection) {
  http::request_parser<http::buffer_body> parser(std::move(head));
  const auto& message = parser.get();
  const unsigned version = message.version();
  answering_ = true;
  HttpRequest request = HeadOf(message);
  request.connection = std::move(connection);
  OpenedSink opened;
  std::optional<HttpReply> reply;
  HeldMemory memory(memory_);
  ExpireNever();
  std::function<void()> open = [&] { opened = api_.OpenSink(request); };
  co_await OnWorker(std::move(open));
  if (opened.refusal) {
    reply = std::move(opened.refusal);
  } else if (!memory.RaiseWhole(opened.memory_bytes + kUploadPartBytes)) {
    reply = NoMemoryReply();
  } else if (!parser.is_done() && !co_await GoOn(version, HeaderValue(message, http::field::expect))) {
    co_return false;
  }
  std::string part(reply ? 0 : kUploadPartBytes, '\0');
  while (!reply && !parser.is_done()) {
    size_t filled = 0;
    if (std::optional<HttpReply> fault; !co_await ReadPart(parser, part, filled, fault)) {
      if (fault) co_await ReplyAndClose(std::move(*fault));
      co_return false;
    }
    ExpireNever();
    std::function<void()> take = [&] { reply = opened.sink->Take(std::string_view(part).substr(0, filled)); };
    co_await OnWorker(std::move(take));
  }
  if (!reply) {
    ExpireNever();
    std::function<void()> end = [&] { reply = opened.sink->End(); };
    co_await OnWorker(std::move(end));
  }
  opened.sink.reset();
  const bool keep_alive = parser.is_done() && message.keep_alive() && !stopping_;
  co_return co_await Finish(std::move(*reply), version, keep_alive, false);
}

asio::awaitable<bool> HttpConnection::ReadPart(UploadParser& parser, std::string& part, size_t& filled,
                                               std::optional<HttpReply>& fault) {
  filled = 0;
  while (filled < part.size() && !parser.is_done()) {
    ExpireAfterIdle();
    parser.get().body().data = part.data() + filled;
    parser.get().body().size = part.size() - filled;
    auto [code, size] = co_await http::async_read_some(stream_, buffer_, parser, kUploadTuple);
    filled = part.size() - parser.get().body().size;
    if (code == http::error::need_buffer) break;
    if (!code) continue;
    fault = ReplyToUnreadable(code, StreamedBytesMax());
    co_return false;
  }
  co_return true;
}

}  // namespace widerow
