#include "net/hbase/wire/hbase_server.h"

#include <unistd.h>

#include <array>
#include <optional>

#include "exec/engine/engine.h"
#include "net/endpoint.h"
#include "net/hbase/http/hbase_http.h"
#include "net/hbase/wire/hbase_connection.h"

namespace widerow::hbase {

namespace {

using boost::asio::ip::tcp;

// The name by which clients reach the server.
std::string HostOf(const HBaseOptions& options, const tcp::endpoint& endpoint) {
  if (!options.host.empty()) return options.host;
  if (!endpoint.address().is_unspecified()) return endpoint.address().to_string();
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

class AsioHBaseServer final : public HBaseServer {
 public:
  AsioHBaseServer(Engine& engine, const HBaseOptions& options)
      : engine_(engine),
        options_(options),
        tcp_({.threads = options.threads, .admissions = {.connections_max = options.connections_max}},
             [this](tcp::socket socket, Admission admission) -> std::unique_ptr<TcpConnection> {
               return std::make_unique<HBaseConnection>(std::move(socket), *context_, admission);
             }) {}
  ~AsioHBaseServer() override { Stop(); }

  Status Start() {
    WR_ASSIGN_OR_RETURN(real_, tcp_.Listen(options_.listen, options_.port));
    context_.emplace(engine_, options_,
                     ServerAddress{.host = HostOf(options_, real_),
                                   .port = real_.port(),
                                   .start_code = static_cast<uint64_t>(engine_.clock().NowMicros() / 1'000)});
    http_ = MakeHttpExtension(context_->services);
    tcp_.Run();
    return OkStatus();
  }
  void Stop() override {
    tcp_.Stop();
    if (context_) context_->pool.Stop();
  }
  uint16_t port() const override { return real_.port(); }
  std::string address() const override { return HostPort(real_); }
  Services& services() override { return context_->services; }
  HttpExtension& http() override { return *http_; }
  MemoryBudget& memory() override { return context_->budget; }

 private:
  Engine& engine_;
  const HBaseOptions options_;
  tcp::endpoint real_;
  std::optional<HBaseContext> context_;  // Outlives the connections.
  std::unique_ptr<HttpExtension> http_;
  TcpServer tcp_;
};

}  // namespace

Result<std::unique_ptr<HBaseServer>> HBaseServer::Start(Engine& engine, const HBaseOptions& options) {
  auto server = std::make_unique<AsioHBaseServer>(engine, options);
  WR_RETURN_IF_ERROR(server->Start());
  return std::unique_ptr<HBaseServer>(std::move(server));
}

}  // namespace widerow::hbase
