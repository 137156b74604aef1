// A TLS client for tests. It listens on a port of this machine, and sends the bytes that it receives there to a server
// over TLS. So the test's other clients, which do not know TLS, can talk to the server.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace widerow {

struct TunnelOptions {
  std::string certificate;        // The client's own (tests/unit/net/certificates.h); empty: none.
  int version = 0;                // TLS1_2_VERSION or TLS1_3_VERSION; 0: the newest that both sides know.
  const char* ciphers = nullptr;  // For TLS 1.2; null: OpenSSL's default.
};

class TlsTunnel {
 public:
  TlsTunnel(uint16_t server_port, const TunnelOptions& options = {});
  ~TlsTunnel();
  TlsTunnel(const TlsTunnel&) = delete;
  TlsTunnel& operator=(const TlsTunnel&) = delete;

  uint16_t port() const { return acceptor_.local_endpoint().port(); }
  // Returns the reason why the last handshake or read from the server failed, or "end" if the server ended TLS in
  // order. Returns "" if none of this has happened yet.
  std::string failure() const;
  // Waits until failure() is not empty, and returns it.
  std::string WaitForFailure() const;
  // Returns the subject of the server's certificate in the last handshake: "/CN=server".
  std::string server_subject() const;

 private:
  struct Pair;

  boost::asio::awaitable<void> AcceptAll();
  boost::asio::awaitable<void> Serve(std::shared_ptr<Pair> pair);
  boost::asio::awaitable<void> Upwards(std::shared_ptr<Pair> pair);
  void Fail(const std::string& reason);

  const uint16_t server_port_;
  boost::asio::io_context io_{1};
  boost::asio::ssl::context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  mutable Mutex mutex_;
  std::string failure_ WR_GUARDED_BY(mutex_), server_subject_ WR_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace widerow
