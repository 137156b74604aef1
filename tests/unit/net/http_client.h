// A blocking HTTP client for tests that sends the very bytes it is given, so that it can also send wrong ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace widerow {

struct HttpResponse {
  int status = 0;                                   // 0: no answer, the connection was closed.
  std::multimap<std::string, std::string> headers;  // Names in lower case.
  std::string body;
  size_t chunks = 0;      // 0: not chunked.
  bool complete = false;  // False: the connection broke off inside the body.

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

class HttpClient {
 public:
  explicit HttpClient(uint16_t port);  // Of 127.0.0.1.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // False if the other side has closed.
  bool Send(std::string_view bytes);
  HttpResponse Read(bool head_only = false);
  // Something of an answer, or the end, is there to be read without waiting.
  bool HasAnswer();
  void CloseSending();
  // True when the other side closes within `timeout_ms`, with nothing left to read.
  bool WaitForClose(int timeout_ms);

  HttpResponse Get(const std::string& target);
  HttpResponse Query(const std::string& json, const std::string& accept = {});

 private:
  bool Fill();  // Reads more into buffer_; false at the end.
  bool TakeLine(std::string& line);
  bool TakeBytes(size_t count, std::string& out);
  void ReadChunks(HttpResponse& response);

  int socket_ = -1;
  std::string buffer_;
};

// POST /v1/query as it goes over the wire.
std::string QueryRequestText(const std::string& json, const std::string& more_headers = {});

}  // namespace widerow
