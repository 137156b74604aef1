#include "net/http/request_head.h"

#include <boost/beast/http/error.hpp>

#include "net/http/connection.h"
#include "net/http/error_reply.h"

namespace widerow {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

std::string_view HeaderValue(const http::header<true>& head, http::field name) { return View(head[name]); }

HttpRequest HeadOf(const http::header<true>& message) {
  HttpRequest head;
  head.method = View(message.method_string());
  head.target = View(message.target());
  head.host = HeaderValue(message, http::field::host);
  head.content_type = HeaderValue(message, http::field::content_type);
  head.accept = HeaderValue(message, http::field::accept);
  head.origin = HeaderValue(message, http::field::origin);
  head.authorization = HeaderValue(message, http::field::authorization);
  head.fetch_site = View(message["Sec-Fetch-Site"]);
  head.range = HeaderValue(message, http::field::range);
  head.if_range = HeaderValue(message, http::field::if_range);
  head.has_origin = message.count(http::field::origin) > 0;
  return head;
}

std::optional<HttpReply> ReplyToUnreadable(const beast::error_code& code, size_t body_bytes_max) {
  if (code == http::error::body_limit) {
    return HttpErrorReply(413, "the request body is longer than " + std::to_string(body_bytes_max) + " bytes");
  }
  if (code == http::error::header_limit) {
    return HttpErrorReply(431, "the request's header is longer than " + std::to_string(kHttpHeaderBytesMax) + " bytes");
  }
  if (code == http::error::buffer_overflow) {
    return HttpErrorReply(431, "a line or the trailer of the chunked body is longer than " +
                                   std::to_string(kHttpBufferBytesMax) + " bytes");
  }
  const bool is_parse_error = code.category() == http::make_error_code(http::error::bad_method).category();
  if (!is_parse_error || code == http::error::end_of_stream || code == http::error::partial_message)
    return std::nullopt;
  return HttpErrorReply(400, "the request is not HTTP/1.1: " + code.message());
}

HttpReply NoMemoryReply() {
  return HttpErrorReply(503, "the server has no memory for a request of this size",
                        "send less at once, or try again later");
}

}  // namespace widerow
