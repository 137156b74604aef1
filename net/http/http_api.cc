// kRoutes lists every path with its methods. HttpConnection calls Refuse with the head (Host and Origin, path, method,
// content type), then LoginOf. After it has read the body, it calls Answer, which calls the handler of the route.
#include "net/http/http_api.h"

#include <algorithm>

#include "base/text.h"
#include "exec/session/request_counts.h"
#include "net/http/advise_handler.h"
#include "net/http/backup_handler.h"
#include "net/http/basic_credentials.h"
#include "net/http/blob_handler.h"
#include "net/http/error_reply.h"
#include "net/http/heat_handler.h"
#include "net/http/metrics.h"
#include "net/http/origin.h"
#include "net/http/query_handler.h"
#include "net/http/schema_json.h"
#include "net/http/snapshot_handler.h"
#include "net/text/url_query.h"

namespace widerow {

namespace {

std::shared_ptr<const ConnectionFacts> ClientOf(const HttpRequest& request) {
  return request.connection != nullptr ? request.connection : request.client;
}

enum class Route : uint8_t {
  kNone,
  kQuery,
  kSnapshots,
  kSnapshot,
  kBlob,
  kSchema,
  kAdvise,
  kHeat,
  kHBase,
  kBackups,
  kBackup,
  kHealth,
  kReady,
  kMetrics
};

struct RouteEntry {
  Route route;
  std::string_view path;  // A path that ends with a slash matches all longer paths that begin with it.
  std::string_view methods;
  bool json_body = false;
  bool open = false;  // No login is needed, even if the server requires logins.
};

constexpr RouteEntry kRoutes[] = {
    {Route::kQuery, "/v1/query", "POST", true},
    {Route::kSnapshots, "/v1/snapshots", "POST", true},
    {Route::kSnapshot, "/v1/snapshots/", "DELETE"},
    {Route::kBlob, "/v1/blob/", "GET, HEAD, PUT"},
    {Route::kSchema, "/v1/schema", "GET, HEAD"},
    {Route::kAdvise, "/v1/advise", "GET, HEAD"},
    {Route::kHeat, "/v1/heat", "GET, HEAD"},
    {Route::kHBase, "/v1/hbase/", "GET, PUT, POST, DELETE"},
    {Route::kBackups, "/v1/backups", "POST", true},
    {Route::kBackup, "/v1/backups/", "GET, DELETE"},
    {Route::kHealth, "/healthz", "GET, HEAD", false, true},
    {Route::kReady, "/readyz", "GET, HEAD", false, true},
    {Route::kMetrics, "/metrics", "GET, HEAD"},
};
constexpr RouteEntry kNoRoute{Route::kNone, "", ""};

std::string_view PathOf(std::string_view target) { return target.substr(0, target.find('?')); }
std::string_view QueryOf(std::string_view target) {
  const size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

const RouteEntry& RouteOf(std::string_view target) {
  const std::string_view path = PathOf(target);
  const auto matches = [&](const RouteEntry& entry) {
    return entry.path.ends_with('/') ? path.starts_with(entry.path) && path != entry.path : path == entry.path;
  };
  const auto* const found = std::find_if(std::begin(kRoutes), std::end(kRoutes), matches);
  return found == std::end(kRoutes) ? kNoRoute : *found;
}

// Returns "POST /v1/query, …", the hint for an unknown path.
std::string AllRoutes() {
  std::string all;
  for (const RouteEntry& entry : kRoutes) {
    all += StrCat(all.empty() ? "" : ", ", entry.methods.substr(0, entry.methods.find(',')), " ", entry.path);
    if (entry.path.ends_with('/')) all += entry.route == Route::kBlob ? "KEYSPACE/TABLE/COLUMN" : "ID";
  }
  return all;
}

// True if `methods`, a list such as "GET, HEAD", contains `method`.
bool Takes(std::string_view methods, std::string_view method) {
  while (!methods.empty()) {
    const size_t comma = std::min(methods.find(", "), methods.size());
    if (methods.substr(0, comma) == method) return true;
    methods.remove_prefix(std::min(comma + 2, methods.size()));
  }
  return false;
}

bool IsJson(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type.empty() || type == "application/json";
}

HttpReply TextReply(unsigned status, std::string text) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

std::optional<HttpReply> RefuseForeign(const HttpRequest& head, std::string_view listen) {
  // With TLS, any host is allowed, because the client has checked the server's certificate for the host that it names.
  // Paths that need no login may be read under any host.
  if (!head.secure && !head.host.empty() && !RouteOf(head.target).open && !IsOwnHost(head.host, listen)) {
    return HttpErrorReply(
        403, "Host \"" + std::string(head.host) + "\" is not this server",
        "without TLS, use an IP address, localhost, the machine's name as `hostname` prints it, or the "
        "address given to --listen");
  }
  if (head.has_origin && !IsOwnOrigin(head.origin, head.host, head.secure)) {
    return HttpErrorReply(403, "Origin \"" + std::string(head.origin) + "\" may not use this server",
                          "requests of web pages must come from the server's own address");
  }
  const bool reads = head.method == "GET" || head.method == "HEAD";  // Allowed, because another site may link to them.
  if (!reads && !head.fetch_site.empty() && head.fetch_site != "same-origin" && head.fetch_site != "none") {
    return HttpErrorReply(403, "a page of another site may not use this server",
                          "requests of web pages must come from the server's own address");
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpReply> HttpApi::Refuse(const HttpRequest& head) const {
  if (std::optional<HttpReply> foreign = RefuseForeign(head, listen_)) return foreign;
  const RouteEntry& entry = RouteOf(head.target);
  if (entry.route == Route::kHBase && extension_ == nullptr) {
    return HttpErrorReply(404, "the server does not serve HBase's operations", "start it with --hbase-port");
  }
  if (entry.route == Route::kNone) {
    return HttpErrorReply(404, "there is nothing at " + std::string(PathOf(head.target)), AllRoutes());
  }
  if (!Takes(entry.methods, head.method)) {
    const std::string allowed(entry.methods);
    HttpReply reply = HttpErrorReply(405, StrCat(PathOf(head.target), " takes ", allowed, ", not ", head.method));
    reply.headers.emplace_back("Allow", allowed);
    return reply;
  }
  if (entry.json_body && !IsJson(head.content_type)) {
    return HttpErrorReply(415, "the body must be JSON, not \"" + std::string(head.content_type) + "\"",
                          "send the header Content-Type: application/json");
  }
  return std::nullopt;
}

std::optional<Result<LoginRequest>> HttpApi::LoginOf(const HttpRequest& head) const {
  if (engine_.logins() == nullptr || RouteOf(head.target).open) return std::nullopt;
  return ReadBasicCredentials(head.authorization);
}

HttpReply HttpApi::RefuseLogin(const Error& error) {
  HttpReply reply = ErrorReply(error, {});
  if (reply.status == 401) reply.headers.emplace_back("WWW-Authenticate", "Basic realm=\"Widerow\", charset=\"UTF-8\"");
  return reply;
}

void HttpApi::Count(const HttpReply& reply) {
  RequestCounts& counts = engine_.request_counts();
  counts.CountRequest(RequestCounts::Kind::kHttp);
  if (reply.error) counts.CountError(RequestCounts::Protocol::kHttp, *reply.error);
}

HttpReply HttpApi::Answer(const HttpRequest& request) {
  const RouteEntry& entry = RouteOf(request.target);
  switch (entry.route) {
    case Route::kQuery: return AnswerQuery(engine_, request);
    case Route::kSnapshots: return AnswerOpenSnapshot(engine_, request);
    case Route::kSnapshot:
      return AnswerCloseSnapshot(engine_, PathOf(request.target).substr(entry.path.size()), request);
    case Route::kBlob:
      return AnswerBlob(engine_, PathOf(request.target).substr(entry.path.size()), QueryOf(request.target), request);
    case Route::kSchema: return AnswerSchema(QueryOf(request.target));
    case Route::kAdvise: return AnswerAdvise(engine_, QueryOf(request.target), ClientOf(request));
    case Route::kHeat: return AnswerHeat(engine_, QueryOf(request.target), ClientOf(request));
    case Route::kHBase:
      return extension_->Answer(request, PathOf(request.target).substr(entry.path.size()), QueryOf(request.target));
    case Route::kBackups: return AnswerBeginBackup(engine_, request);
    case Route::kBackup:
      return AnswerBackup(engine_, PathOf(request.target).substr(entry.path.size()), QueryOf(request.target), request);
    case Route::kHealth: return TextReply(200, "ok\n");
    case Route::kReady: return AnswerReady();
    case Route::kMetrics:
      return {.content_type = std::string(kMetricsContentType), .body = MetricsText(engine_, tls_, extension_)};
    case Route::kNone: break;
  }
  return HttpErrorReply(404, "there is nothing at " + std::string(PathOf(request.target)));
}

bool HttpApi::StreamsBody(const HttpRequest& head) {
  return RouteOf(head.target).route == Route::kBlob && head.method == "PUT";
}

OpenedSink HttpApi::OpenSink(const HttpRequest& head) {
  const RouteEntry& entry = RouteOf(head.target);
  return OpenBlobSink(engine_, PathOf(head.target).substr(entry.path.size()), QueryOf(head.target), head);
}

bool HttpApi::AnswersAtOnce(const HttpRequest& request) { return RouteOf(request.target).open; }

// Answers /readyz. The reason for a refusal names no file, because everybody can read the answer without a login.
HttpReply HttpApi::AnswerReady() const {
  if (stopping_.load()) return TextReply(503, "stopping\n");
  const Status takes = engine_.TakesWrites();
  if (takes.ok()) return TextReply(200, "ok\n");
  const std::string& remedy = takes.error().hint;
  return TextReply(503, StrCat("writes are refused: ", remedy.empty() ? "the storage has failed" : remedy, "\n"));
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
