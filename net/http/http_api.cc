#include "net/http/http_api.h"

#include "base/bytes.h"
#include "net/http/error_reply.h"
#include "net/http/metrics.h"
#include "net/http/origin.h"
#include "net/http/query_handler.h"
#include "net/http/schema_json.h"

namespace widerow {

namespace {

enum class Route : uint8_t { kNone, kQuery, kSchema, kHealth, kReady, kMetrics };

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }
std::string_view QueryOf(std::string_view target) {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

Route RouteOf(std::string_view target) {
  const std::string_view path = PathOf(target);
  if (path == "/v1/query") return Route::kQuery;
  if (path == "/v1/schema") return Route::kSchema;
  if (path == "/healthz") return Route::kHealth;
  if (path == "/readyz") return Route::kReady;
  if (path == "/metrics") return Route::kMetrics;
  return Route::kNone;
}

bool IsJson(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type.empty() || type == "application/json";
}

// "a%20b+c" -> "a b c"; false if a % is not followed by two hex digits.
bool DecodeUrl(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    Bytes byte;
    if (text[i] == '%') {
      if (i + 2 >= text.size() || !FromHex(text.substr(i + 1, 2), byte)) return false;
      out += byte;
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return true;
}

HttpReply TextReply(unsigned status, std::string text) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

std::optional<HttpReply> RefuseForeign(const HttpRequest& head, std::string_view listen) {
  if (!head.has_one_host) return HttpErrorReply(400, "a request needs exactly one Host header");
  if (!head.host.empty() && !IsOwnHost(head.host, listen)) {
    return HttpErrorReply(403, "Host \"" + std::string(head.host) + "\" is not this server",
                          "use an IP address, localhost or the address given to --listen");
  }
  if (head.has_origin && !IsOwnOrigin(head.origin, head.host)) {
    return HttpErrorReply(403, "Origin \"" + std::string(head.origin) + "\" may not use this server",
                          "requests of web pages must come from the server's own address");
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpReply> HttpApi::Refuse(const HttpRequest& head) const {
  if (std::optional<HttpReply> foreign = RefuseForeign(head, listen_)) return foreign;
  const Route route = RouteOf(head.target);
  if (route == Route::kNone) {
    return HttpErrorReply(404, "there is nothing at " + std::string(PathOf(head.target)),
                          "POST /v1/query, GET /v1/schema, GET /healthz, GET /readyz, GET /metrics");
  }
  const bool is_query = route == Route::kQuery;
  if (is_query ? head.method != "POST" : head.method != "GET" && head.method != "HEAD") {
    const std::string allowed = is_query ? "POST" : "GET, HEAD";
    HttpReply reply = HttpErrorReply(
        405, std::string(PathOf(head.target)) + " takes " + allowed + ", not " + std::string(head.method));
    reply.headers.emplace_back("Allow", allowed);
    return reply;
  }
  if (is_query && !IsJson(head.content_type)) {
    return HttpErrorReply(415, "the body must be JSON, not \"" + std::string(head.content_type) + "\"",
                          "send the header Content-Type: application/json");
  }
  return std::nullopt;
}

HttpReply HttpApi::Answer(const HttpRequest& request) {
  switch (RouteOf(request.target)) {
    case Route::kQuery: return AnswerQuery(engine_, request);
    case Route::kSchema: return AnswerSchema(QueryOf(request.target));
    case Route::kHealth: return TextReply(200, "ok\n");
    case Route::kReady: return AnswerReady();
    case Route::kMetrics: return {.content_type = std::string(kMetricsContentType), .body = MetricsText(engine_)};
    case Route::kNone: break;
  }
  return HttpErrorReply(404, "there is nothing at " + std::string(PathOf(request.target)));
}

HttpReply HttpApi::AnswerReady() const {
  return stopping_.load() ? TextReply(503, "stopping\n") : TextReply(200, "ok\n");
}

HttpReply HttpApi::AnswerSchema(std::string_view query) const {
  const SchemaPtr schema = engine_.schema();
  constexpr std::string_view kKeyspace = "keyspace=";
  std::string keyspace;
  if (!query.empty() && (!query.starts_with(kKeyspace) || query.find('&') != std::string_view::npos ||
                         !DecodeUrl(query.substr(kKeyspace.size()), keyspace))) {
    return HttpErrorReply(400, "/v1/schema takes ?keyspace=NAME and nothing else");
  }
  if (!query.empty() && schema->FindKeyspace(keyspace) == nullptr) {
    return HttpErrorReply(404, "Keyspace '" + keyspace + "' does not exist");
  }
  return {.body = SchemaJson(*schema, keyspace)};
}

}  // namespace widerow
