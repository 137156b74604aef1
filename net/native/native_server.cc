#include "net/native/native_server.h"

#include "exec/engine/engine.h"
#include "net/endpoint.h"
#include "net/native/native_connection.h"
#include "net/tcp_server.h"

namespace widerow {

namespace {

using boost::asio::ip::tcp;

class AsioServer final : public NativeServer {
 public:
  AsioServer(Engine& engine, NativeOptions options)
      : context_(engine, std::move(options)),
        tcp_({.threads = context_.options.threads, .admissions = {.connections_max = context_.options.connections_max}},
             [this](tcp::socket socket, Admission admission) {
               return Connect(std::move(socket), admission, {context_.options.security, context_.options.tls});
             }) {}
  ~AsioServer() override { Stop(); }

  Status Start();
  void Stop() override;
  uint16_t port() const override { return real_.port(); }
  std::string address() const override { return HostPort(real_); }
  std::string tls_address() const override { return real_tls_ ? HostPort(*real_tls_) : ""; }
  size_t held_bytes() const override { return context_.budget.held_bytes(); }

 private:
  // Lets the engine's schema listener find the server as long as the server runs. The listener cannot be removed, so
  // the engine may call it after the server has stopped.
  struct Hub {
    Mutex mutex;
    AsioServer* server WR_GUARDED_BY(mutex) = nullptr;
  };

  std::unique_ptr<TcpConnection> Connect(tcp::socket socket, Admission admission, const PortPolicy& policy) {
    auto facts = FactsOf(socket, advertised_);
    return std::make_unique<NativeConnection>(std::move(socket), context_, std::move(facts), admission, policy);
  }
  void Publish(const SchemaChange& change) {
    tcp_.ForEach([change](TcpConnection& connection) { static_cast<NativeConnection&>(connection).Push(change); });
  }

  NativeContext context_;
  std::optional<tcp::endpoint> advertised_;
  tcp::endpoint real_;
  std::optional<tcp::endpoint> real_tls_;
  const std::shared_ptr<Hub> hub_ = std::make_shared<Hub>();
  TcpServer tcp_;
};

Status AsioServer::Start() {
  const NativeOptions& options = context_.options;
  if (!options.advertise.empty()) { WR_ASSIGN_OR_RETURN(advertised_, ResolveAdvertised(options.advertise)); }
  WR_ASSIGN_OR_RETURN(real_, tcp_.Listen(options.listen, options.port));
  if (options.tls_port) {
    const PortPolicy policy{PortSecurity::kTls, options.tls};
    WR_ASSIGN_OR_RETURN(real_tls_, tcp_.Listen(options.listen, *options.tls_port,
                                               [this, policy](tcp::socket socket, Admission admission) {
                                                 return Connect(std::move(socket), admission, policy);
                                               }));
  }
  {
    MutexLock lock(hub_->mutex);
    hub_->server = this;
  }
  context_.engine.AddSchemaListener([hub = std::weak_ptr<Hub>(hub_)](const SchemaChange& change) {
    const std::shared_ptr<Hub> found = hub.lock();
    if (found == nullptr) return;
    MutexLock lock(found->mutex);
    if (found->server != nullptr) found->server->Publish(change);
  });
  tcp_.Run();
  return {};
}

void AsioServer::Stop() {
  {
    MutexLock lock(hub_->mutex);
    hub_->server = nullptr;
  }
  tcp_.Stop();
  context_.pool.Stop();  // Stopped after the connections, which wait for their requests.
}

}  // namespace

Result<std::unique_ptr<NativeServer>> NativeServer::Start(Engine& engine, const NativeOptions& options) {
  auto server = std::make_unique<AsioServer>(engine, options);
  WR_RETURN_IF_ERROR(server->Start());
  return std::unique_ptr<NativeServer>(std::move(server));
}

}  // namespace widerow
