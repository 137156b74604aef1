#include "shell/http_connection.h"

#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <optional>

#include "shell/tls_client.h"

namespace widerow {
namespace {

namespace http = boost::beast::http;
using Tcp = boost::asio::ip::tcp;
using boost::system::error_code;

constexpr uint64_t kAnswerBytesMax = 1u << 30;

}  // namespace

struct ShellHttpClient::State {
  std::string host, port, authorization;
  boost::asio::io_context io;
  Tcp::socket socket{io};
  std::shared_ptr<boost::asio::ssl::context> context;  // Null: without TLS.
  std::optional<TlsStream> tls;                        // Exists while the connection with TLS is open.
  boost::beast::flat_buffer buffer;

  // Calls `work` with the stream that carries HTTP.
  template <typename Work>
  void WithStream(const Work& work) {
    if (tls) {
      work(*tls);
    } else {
      work(socket);
    }
  }

  void Close() {
    error_code ignored;
    tls.reset();
    socket.close(ignored);
  }

  std::string Address() const { return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port; }

  Error Lost(const char* doing, const error_code& failure) {
    Close();
    if (failure == boost::asio::error::interrupted) {
      return ServerError("Interrupted", "the statement may still run on the server");
    }
    return ServerError(std::string(doing) + " " + Address() + ": " + failure.message());
  }

  Status Connect() {
    error_code failure;
    Tcp::resolver resolver(io);
    const auto endpoints = resolver.resolve(host, port, failure);
    if (!failure) boost::asio::connect(socket, endpoints, failure);
    if (failure) {
      Error error = Lost("Cannot connect to", failure);
      error.hint = "start a server with `widerow serve --data DIR`, or use `widerow shell --data DIR`";
      return error;
    }
    socket.set_option(Tcp::no_delay(true), failure);
    buffer.clear();
    return context == nullptr ? OkStatus() : Secure();
  }

  Status Secure() {
    tls.emplace(socket, *context);
    const std::string reason = ShakeHands(*tls, host);
    if (reason.empty()) return OkStatus();
    Close();
    return ServerError("Cannot connect to " + Address() + " with TLS: " + reason,
                       "--tls-ca FILE has the authorities that the shell trusts; the certificate must name the host");
  }

  // True if the server has closed an idle connection. This is checked before anything is sent, so that no statement is
  // sent twice. With TLS, the server announces the end with a message, so waiting bytes count as the end too.
  bool Stale() {
    char byte = 0;
    const ssize_t bytes = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return bytes == 0 || (tls && bytes > 0);
  }

  Result<HttpAnswer> Run(http::request<http::string_body> request) {
    error_code failure;
    if (socket.is_open() && Stale()) Close();
    if (!socket.is_open()) WR_RETURN_IF_ERROR(Connect());
    request.set(http::field::host, Address());
    request.set(http::field::accept, "application/json");
    if (!authorization.empty()) request.set(http::field::authorization, authorization);
    request.prepare_payload();
    WithStream([&](auto& stream) { http::write(stream, request, failure); });
    if (failure) return Lost("Lost the connection to", failure);
    http::response_parser<http::string_body> parser;
    parser.body_limit(kAnswerBytesMax);
    WithStream([&](auto& stream) { http::read(stream, buffer, parser, failure); });
    if (failure) return Lost("Lost the connection to", failure);
    HttpAnswer answer{parser.get().result_int(), std::move(parser.get().body())};
    if (!parser.keep_alive()) Close();
    return answer;
  }
};

ShellHttpClient::ShellHttpClient(std::unique_ptr<State> state) : state_(std::move(state)) {}
ShellHttpClient::ShellHttpClient(ShellHttpClient&&) noexcept = default;
ShellHttpClient& ShellHttpClient::operator=(ShellHttpClient&&) noexcept = default;
ShellHttpClient::~ShellHttpClient() = default;

Result<ShellHttpClient> ShellHttpClient::Open(const std::string& host, const std::string& port,
                                              const std::string& authorization, const ClientTls& tls) {
  auto state = std::make_unique<State>();
  state->host = host;
  state->port = port;
  state->authorization = authorization;
  if (tls.on) { WR_ASSIGN_OR_RETURN(state->context, MakeClientContext(tls)); }
  WR_RETURN_IF_ERROR(state->Connect());
  return ShellHttpClient(std::move(state));
}

void ShellHttpClient::SetAuthorization(std::string authorization) { state_->authorization = std::move(authorization); }

Result<HttpAnswer> ShellHttpClient::Get(const std::string& target) {
  return state_->Run({http::verb::get, target, 11});
}

Result<HttpAnswer> ShellHttpClient::Delete(const std::string& target) {
  return state_->Run({http::verb::delete_, target, 11});
}

Result<HttpAnswer> ShellHttpClient::PostJson(const std::string& target, std::string body) {
  http::request<http::string_body> request(http::verb::post, target, 11, std::move(body));
  request.set(http::field::content_type, "application/json");
  return state_->Run(std::move(request));
}

}  // namespace widerow
