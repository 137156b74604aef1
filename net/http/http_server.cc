#include "net/http/http_server.h"

#include "net/endpoint.h"
#include "net/http/connection.h"
#include "net/tcp_server.h"

namespace widerow {

namespace {

using boost::asio::ip::tcp;

class BeastServer final : public HttpServer {
 public:
  BeastServer(Engine& engine, HttpOptions options)
      : options_(std::move(options)),
        budget_(options_.total_bytes_max),
        api_(engine, options_.listen, options_.workers_max, options_.tls, options_.extension),
        tcp_({.threads = options_.threads, .admissions = {.connections_max = options_.connections_max}},
             [this](tcp::socket socket, Admission admission) {
               return std::make_unique<HttpConnection>(std::move(socket), api_, budget_, options_, admission);
             }) {}
  ~BeastServer() override { Stop(); }

  Status Start() {
    WR_ASSIGN_OR_RETURN(real_, tcp_.Listen(options_.listen, options_.port));
    tcp_.Run();
    return {};
  }
  void Stop() override {
    api_.SetStopping();
    tcp_.Stop();
  }
  uint16_t port() const override { return real_.port(); }
  std::string address() const override { return HostPort(real_); }
  size_t held_bytes() const override { return budget_.held_bytes(); }

 private:
  const HttpOptions options_;
  MemoryBudget budget_;
  HttpApi api_;
  tcp::endpoint real_;
  TcpServer tcp_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(Engine& engine, const HttpOptions& options) {
  auto server = std::make_unique<BeastServer>(engine, options);
  WR_RETURN_IF_ERROR(server->Start());
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace widerow
