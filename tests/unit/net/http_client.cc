#include "tests/unit/net/http_client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace widerow {

HttpClient::HttpClient(uint16_t port, const char* from) {
  socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  // The size is fixed, so that a test knows how many bytes fit between server and client.
  const int receive_bytes = 65'536;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  inet_pton(AF_INET, from, &here.sin_addr);
  if (::bind(socket_, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 ||
      ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket_);
    socket_ = -1;
  }
  // A test that has to wait longer fails.
  const timeval timeout{.tv_sec = 30, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) ::close(socket_);
}

bool HttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

void HttpClient::CloseSending() { ::shutdown(socket_, SHUT_WR); }

bool HttpClient::HasAnswer() {
  pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
  return !buffer_.empty() || ::poll(&watched, 1, 0) > 0;
}

bool HttpClient::WaitForClose(int timeout_ms) {
  pollfd watched{.fd = socket_, .events = POLLIN, .revents = 0};
  if (::poll(&watched, 1, timeout_ms) <= 0) return false;
  char byte;
  return ::recv(socket_, &byte, 1, 0) <= 0;
}

bool HttpClient::Fill() {
  char bytes[65'536];
  const ssize_t received = ::recv(socket_, bytes, sizeof bytes, 0);
  if (received <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(received));
  return true;
}

bool HttpClient::TakeLine(std::string& line) {
  size_t end;
  while ((end = buffer_.find("\r\n")) == std::string::npos) {
    if (!Fill()) return false;
  }
  line = buffer_.substr(0, end);
  buffer_.erase(0, end + 2);
  return true;
}

bool HttpClient::TakeBytes(size_t count, std::string& out) {
  while (buffer_.size() < count) {
    if (!Fill()) return false;
  }
  out.append(buffer_, 0, count);
  buffer_.erase(0, count);
  return true;
}

void HttpClient::ReadChunks(HttpResponse& response) {
  for (std::string line; TakeLine(line);) {
    const size_t size = std::strtoul(line.c_str(), nullptr, 16);
    if (size == 0) {
      response.complete = TakeLine(line);
      return;
    }
    ++response.chunks;
    if (!TakeBytes(size, response.body) || !TakeLine(line)) return;
  }
}

HttpResponse HttpClient::Read(bool head_only) {
  HttpResponse response;
  std::string line;
  if (!TakeLine(line) || line.size() < 12) return response;
  response.status = std::atoi(line.c_str() + 9);
  while (TakeLine(line) && !line.empty()) {
    const size_t colon = line.find(": ");
    std::string name = line.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    response.headers.emplace(name, line.substr(colon + 2));
  }
  if (head_only || response.status == 100) {
    response.complete = true;
  } else if (response.header("transfer-encoding") == "chunked") {
    ReadChunks(response);
  } else if (response.headers.count("content-length") > 0) {
    response.complete = TakeBytes(std::strtoul(response.header("content-length").c_str(), nullptr, 10), response.body);
  } else {
    while (Fill()) {}
    response.body.swap(buffer_);
    response.complete = true;
  }
  return response;
}

HttpResponse HttpClient::Get(const std::string& target) {
  Send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return Read();
}

std::string QueryRequestText(const std::string& json, const std::string& more_headers) {
  return "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(json.size()) + "\r\n" + more_headers + "\r\n" + json;
}

HttpResponse HttpClient::Query(const std::string& json, const std::string& accept) {
  Send(QueryRequestText(json, accept.empty() ? std::string() : "Accept: " + accept + "\r\n"));
  return Read();
}

}  // namespace widerow
