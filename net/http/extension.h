// A part of the HTTP API that another library adds. The server passes it the requests under one path. Thread-safe.
#pragma once

#include "net/http/request.h"

namespace widerow {

class HttpExtension {
 public:
  virtual ~HttpExtension() = default;
  // Answers a request on a worker. `path` is the rest of the path, still encoded; `query` is the query of the URL.
  virtual HttpReply Answer(const HttpRequest& request, std::string_view path, std::string_view query) = 0;
};

}  // namespace widerow
