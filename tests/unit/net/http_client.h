// A blocking HTTP client for tests. It sends exactly the bytes that it is given, so that tests can also send wrong
// requests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace widerow {

struct HttpResponse {
  int status = 0;                                   // 0 if the connection was closed without an answer.
  std::multimap<std::string, std::string> headers;  // The names are in lower case.
  std::string body;
  size_t chunks = 0;      // 0 if the body was not sent in chunks.
  bool complete = false;  // False if the connection was closed before the end of the body.

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

class HttpClient {
 public:
  // Connects to 127.0.0.1. `from` is the address of this machine from which the client connects.
  explicit HttpClient(uint16_t port, const char* from = "127.0.0.1");
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Sends the bytes. Returns false if the server has closed the connection.
  bool Send(std::string_view bytes);
  HttpResponse Read(bool head_only = false);
  // Returns true if bytes of an answer, or the end of the connection, can be read without waiting.
  bool HasAnswer();
  void CloseSending();
  // Returns true if the server closes the connection within `timeout_ms`, and no byte is left to read.
  bool WaitForClose(int timeout_ms);

  HttpResponse Get(const std::string& target);
  HttpResponse Query(const std::string& json, const std::string& accept = {});

 private:
  bool Fill();  // Reads more bytes into buffer_. Returns false if the connection has ended or failed.
  bool TakeLine(std::string& line);
  bool TakeBytes(size_t count, std::string& out);
  void ReadChunks(HttpResponse& response);

  int socket_ = -1;
  std::string buffer_;
};

// Returns a POST request for /v1/query.
std::string QueryRequestText(const std::string& json, const std::string& more_headers = {});

}  // namespace widerow
