// A request and its answer, free of sockets: what connection.h reads and writes, and what http_api.h works on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace widerow {

struct ConnectionFacts;  // exec/outcome.h

// Borrows from the connection's buffers while the request is answered.
struct HttpRequest {
  std::string_view method, target;
  std::string_view host, origin, content_type, accept, authorization;  // Empty: no such header.
  bool has_origin = false;
  bool has_one_host = true;  // HTTP/1.1 asks for exactly one Host header.
  std::string_view body;
  std::shared_ptr<const ConnectionFacts> connection;  // With who has logged in; null: nobody has to.
};

// The parts of a body that is made while it is sent.
class BodySource {
 public:
  enum class State : uint8_t { kMore, kEnd, kFailed };  // kFailed: send `out`, then break the connection off.
  virtual ~BodySource() = default;
  // Puts the next part into `out`, in place of what is there.
  virtual State Next(std::string& out) = 0;
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;                  // The whole of it, or
  std::unique_ptr<BodySource> rest;  // its beginning, with the rest to come.
};

}  // namespace widerow
