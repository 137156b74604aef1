// A request and its answer, without sockets: HttpConnection reads and writes them, HttpApi works on them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace widerow {

struct ConnectionFacts;  // exec/rows/outcome.h
class AnswerRoom;        // exec/rows/answer_room.h
class MetricsWriter;     // net/http/metrics_writer.h

// Borrows from the connection's buffers, which live until the request is answered.
struct HttpRequest {
  std::string_view method, target;
  std::string_view host, origin, content_type, accept, authorization;  // Empty: the request has no such header.
  std::string_view fetch_site;                                         // Sec-Fetch-Site, which only browsers send.
  bool secure = false;                                                 // The client speaks TLS.
  std::string_view range, if_range;
  bool has_origin = false;
  std::string_view body;
  // Contains the user who has logged in; null: no login is required.
  std::shared_ptr<const ConnectionFacts> connection;
  std::shared_ptr<const ConnectionFacts> client;  // RequestParameters::client.
  AnswerRoom* room = nullptr;  // Counts the memory of the answer's rows. Outlives the reply and its source.
};

// The rest of a body, produced while it is sent.
class BodySource {
 public:
  enum class State : uint8_t { kMore, kEnd, kFailed };  // kFailed: send `out`, then break the connection.
  virtual ~BodySource() = default;
  // Replaces `out` by the next part.
  virtual State Next(std::string& out) = 0;
  // The memory that the source keeps, besides `out`.
  virtual size_t held_bytes() const { return 0; }
};

struct HttpReply {
  unsigned status = 200;
  std::optional<ErrorCode> error;  // The code of an answer that is an error.
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;                  // The whole body; with `rest`, its beginning.
  std::unique_ptr<BodySource> rest;  // Null, or the source of the remaining parts.
  // The length of the whole body. If absent, a body with `rest` is sent in chunks.
  std::optional<uint64_t> length;
};

// Takes the body of a request in parts, while it arrives.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Takes the next part. If it returns a reply, the rest of the body is refused.
  virtual std::optional<HttpReply> Take(std::string_view part) = 0;
  // Called after the last part.
  virtual HttpReply End() = 0;
};

// Either a sink or a reply that refuses the request.
struct OpenedSink {
  std::unique_ptr<BodySink> sink = nullptr;
  size_t memory_bytes = 0;  // The memory that the sink may take.
  std::optional<HttpReply> refusal = std::nullopt;
};

// A part of the HTTP API that another library adds. The server passes it the requests under one path. Thread-safe.
class HttpExtension {
 public:
  virtual ~HttpExtension() = default;
  // Answers a request on a worker. `path` is the part of the URL's path after the extension's own path, still encoded;
  // `query` is the query of the URL.
  virtual HttpReply Answer(const HttpRequest& request, std::string_view path, std::string_view query) = 0;
  // Adds the library's own metrics to those of /metrics.
  virtual void WriteMetrics(MetricsWriter& out) const = 0;
};

}  // namespace widerow
