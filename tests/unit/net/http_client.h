// A blocking HTTP client for tests. It sends exactly the bytes it is given, so that tests can send wrong requests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace widerow {

struct HttpResponse {
  int status = 0;                                   // 0: the connection was closed without an answer.
  std::multimap<std::string, std::string> headers;  // Names in lower case.
  std::string body;
  size_t chunks = 0;      // 0: not chunked.
  bool complete = false;  // False: the connection was closed within the body.

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

class HttpClient {
 public:
  // Connects to 127.0.0.1, from the given address of this machine.
  explicit HttpClient(uint16_t port, const char* from = "127.0.0.1");
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Sends the bytes. Returns false if the server has closed the connection.
  bool Send(std::string_view bytes);
  HttpResponse Read(bool head_only = false);
  // True if bytes of an answer, or the end, can be read without waiting.
  bool HasAnswer();
  void CloseSending();
  // True if the server closes the connection within `timeout_ms` and there is nothing left to read.
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

// Returns the text of a POST /v1/query request.
std::string QueryRequestText(const std::string& json, const std::string& more_headers = {});

}  // namespace widerow
