#include "tests/unit/net/tls_tunnel.h"

#include <openssl/ssl.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>

#include "tests/unit/net/certificates.h"

namespace widerow {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {
constexpr auto kTogether = asio::as_tuple(asio::use_awaitable);
}

struct TlsTunnel::Pair {
  Pair(tcp::socket client_in, asio::ssl::context& context)
      : client(std::move(client_in)), server(client.get_executor(), context) {}
  tcp::socket client;
  asio::ssl::stream<tcp::socket> server;
};

TlsTunnel::TlsTunnel(uint16_t server_port, const TunnelOptions& options)
    : server_port_(server_port),
      context_(asio::ssl::context::tls_client),
      acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  context_.set_verify_mode(asio::ssl::verify_peer);
  context_.load_verify_file(Certificates::Pem("ca"));
  if (!options.certificate.empty()) {
    context_.use_certificate_chain_file(Certificates::Pem(options.certificate));
    context_.use_private_key_file(Certificates::Key(options.certificate), asio::ssl::context::pem);
  }
  SSL_CTX* const handle = context_.native_handle();
  if (options.version != 0) {
    SSL_CTX_set_min_proto_version(handle, options.version);
    SSL_CTX_set_max_proto_version(handle, options.version);
  }
  if (options.ciphers != nullptr) SSL_CTX_set_cipher_list(handle, options.ciphers);
  asio::co_spawn(io_, AcceptAll(), asio::detached);
  thread_ = std::thread([this] { io_.run(); });
}

TlsTunnel::~TlsTunnel() {
  io_.stop();
  thread_.join();
}

std::string TlsTunnel::failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

std::string TlsTunnel::WaitForFailure() const {
  for (int i = 0; i < 3'000 && failure().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return failure();
}

std::string TlsTunnel::server_subject() const {
  MutexLock lock(mutex_);
  return server_subject_;
}

void TlsTunnel::Fail(const std::string& reason) {
  MutexLock lock(mutex_);
  failure_ = reason;
}

asio::awaitable<void> TlsTunnel::AcceptAll() {
  for (;;) {
    auto [code, client] = co_await acceptor_.async_accept(kTogether);
    if (code) co_return;
    asio::co_spawn(io_, Serve(std::make_shared<Pair>(std::move(client), context_)), asio::detached);
  }
}

asio::awaitable<void> TlsTunnel::Serve(std::shared_ptr<Pair> pair) {
  const tcp::endpoint server(asio::ip::address_v4::loopback(), server_port_);
  auto [code] = co_await pair->server.next_layer().async_connect(server, kTogether);
  if (!code) std::tie(code) = co_await pair->server.async_handshake(asio::ssl::stream_base::client, kTogether);
  if (code) {
    Fail(code.message());
    co_return;
  }
  {
    MutexLock lock(mutex_);
    char subject[256] = {};
    X509_NAME_oneline(X509_get_subject_name(SSL_get0_peer_certificate(pair->server.native_handle())), subject,
                      sizeof subject);
    server_subject_ = subject;
  }
  asio::co_spawn(io_, Upwards(pair), asio::detached);
  std::array<char, 16'384> buffer;
  for (;;) {
    const auto [lost, bytes] = co_await pair->server.async_read_some(asio::buffer(buffer), kTogether);
    if (lost) {
      Fail(lost == asio::error::eof ? "end" : lost.message());
      break;
    }
    const auto [gone, sent] = co_await asio::async_write(pair->client, asio::buffer(buffer, bytes), kTogether);
    if (gone) break;
  }
  boost::system::error_code ignored;
  pair->client.close(ignored);
}

asio::awaitable<void> TlsTunnel::Upwards(std::shared_ptr<Pair> pair) {
  std::array<char, 16'384> buffer;
  for (;;) {
    const auto [gone, bytes] = co_await pair->client.async_read_some(asio::buffer(buffer), kTogether);
    if (gone) break;
    const auto [lost, sent] = co_await asio::async_write(pair->server, asio::buffer(buffer, bytes), kTogether);
    if (lost) break;
  }
  boost::system::error_code ignored;
  pair->server.next_layer().shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace widerow
