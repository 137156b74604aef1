#include "net/http/framing.h"

#include <algorithm>

#include "net/http/origin.h"

namespace widerow {

namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

bool IsNumber(beast::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string HostFault(const http::header<true>& head) {
  const size_t hosts = head.count(http::field::host);
  if (hosts != 1 && (hosts > 1 || head.version() >= 11)) return "a request needs exactly one Host header";
  const beast::string_view host = head[http::field::host];
  return host.empty() || IsHost({host.data(), host.size()}) ? "" : "the Host header is malformed";
}

}  // namespace

std::string FramingFault(const http::header<true>& head) {
  const size_t encodings = head.count(http::field::transfer_encoding);
  const size_t lengths = head.count(http::field::content_length);
  if (encodings > 0 && head.version() < 11) return "HTTP/1.0 has no Transfer-Encoding";
  if (encodings > 0 && lengths > 0) return "a request has either Transfer-Encoding or Content-Length, not both";
  if (encodings > 1 || (encodings == 1 && !beast::iequals(head[http::field::transfer_encoding], "chunked"))) {
    return "the only Transfer-Encoding of requests is chunked";
  }
  if (lengths > 1 || (lengths == 1 && !IsNumber(head[http::field::content_length]))) {
    return "a request has at most one Content-Length, which is one number";
  }
  return HostFault(head);
}

}  // namespace widerow
