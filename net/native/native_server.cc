#include "net/native/native_server.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>

#include "exec/engine.h"
#include "net/endpoint.h"
#include "net/native/native_connection.h"

namespace widerow {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// How many connections over the limit are told so before further ones are closed without a word.
constexpr size_t kTurnedAwayMax = 64;
// How long Stop waits for clients that are slow to take their answers.
constexpr int64_t kStopMs = 10'000;
constexpr auto kTick = std::chrono::milliseconds(500);

// One thread with its io_context and the connections that live on it.
struct IoThread {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  std::set<NativeConnection*> connections;  // Touched on this thread only.
  asio::steady_timer tick{io};
  std::thread thread;
};

class AsioServer final : public NativeServer {
 public:
  AsioServer(Engine& engine, NativeOptions options) : context_(engine, std::move(options)) {
    for (unsigned i = 0; i < std::max(context_.options.threads, 1u); ++i) threads_.push_back(std::make_unique<IoThread>());
    acceptor_ = std::make_unique<tcp::acceptor>(threads_[0]->io);
  }
  ~AsioServer() override { Stop(); }

  Status Listen();
  void Run();
  void Stop() override;
  uint16_t port() const override { return port_; }
  std::string address() const override { return address_; }
  size_t held_bytes() const override { return context_.budget.held_bytes(); }

 private:
  // Where the engine's listener, which cannot be taken back, finds the server while there is one.
  struct Hub {
    Mutex mutex;
    AsioServer* server WR_GUARDED_BY(mutex) = nullptr;
  };

  asio::awaitable<void> AcceptAll();
  asio::awaitable<void> Tick(IoThread& thread);
  void Admit(IoThread& thread, tcp::socket socket);
  void Publish(const SchemaChange& change);
  void ForEachConnection(void (NativeConnection::*action)());
  // True when all are closed, false after kStopMs.
  bool WaitUntilClosed() WR_EXCLUDES(mutex_);

  NativeContext context_;
  std::optional<tcp::endpoint> advertised_;
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::unique_ptr<tcp::acceptor> acceptor_;  // On the first thread.
  uint16_t port_ = 0;
  std::string address_;
  bool stopped_ = false;
  std::atomic<bool> stopping_{false};
  const std::shared_ptr<Hub> hub_ = std::make_shared<Hub>();

  Mutex mutex_;
  CondVar closed_;
  size_t open_ WR_GUARDED_BY(mutex_) = 0;
};

Status AsioServer::Listen() {
  const NativeOptions& options = context_.options;
  if (!options.advertise.empty()) {
    WR_ASSIGN_OR_RETURN(advertised_, ResolveAdvertised(options.advertise));
  }
  WR_ASSIGN_OR_RETURN(const tcp::endpoint real, ListenOn(options.listen, options.port, *acceptor_));
  port_ = real.port();
  address_ = HostPort(real);
  return {};
}

void AsioServer::Run() {
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
  asio::co_spawn(threads_[0]->io, AcceptAll(), [](std::exception_ptr) {});
  for (const auto& thread : threads_) {
    asio::co_spawn(thread->io, Tick(*thread), [](std::exception_ptr) {});
    thread->thread = std::thread([io = &thread->io] { io->run(); });
  }
}

asio::awaitable<void> AsioServer::AcceptAll() {
  asio::steady_timer pause(threads_[0]->io);
  for (size_t turn = 0;; ++turn) {
    IoThread* thread = threads_[turn % threads_.size()].get();
    auto [code, socket] = co_await acceptor_->async_accept(thread->io, kTuple);
    if (stopping_.load() || !acceptor_->is_open()) co_return;
    if (code) {  // Out of file descriptors, or the client is gone already.
      pause.expires_after(std::chrono::milliseconds(50));
      co_await pause.async_wait(kTuple);
      continue;
    }
    asio::post(thread->io, [this, thread, accepted = tcp::socket(std::move(socket))]() mutable {
      Admit(*thread, std::move(accepted));
    });
  }
}

asio::awaitable<void> AsioServer::Tick(IoThread& thread) {
  while (!stopping_.load()) {
    thread.tick.expires_after(kTick);
    co_await thread.tick.async_wait(kTuple);
    const auto now = NativeConnection::Clock::now();
    for (NativeConnection* connection : thread.connections) connection->CheckTime(now);
  }
}

void AsioServer::Admit(IoThread& thread, tcp::socket socket) {
  bool too_many = false;
  {
    MutexLock lock(mutex_);
    if (stopping_.load() || open_ >= context_.options.connections_max + kTurnedAwayMax) return;
    too_many = open_ >= context_.options.connections_max;
    ++open_;
  }
  auto facts = FactsOf(socket, advertised_);
  auto connection = std::make_shared<NativeConnection>(std::move(socket), context_, std::move(facts), too_many);
  thread.connections.insert(connection.get());
  asio::co_spawn(thread.io, connection->Serve(), [this, &thread, connection](std::exception_ptr) mutable {
    thread.connections.erase(connection.get());
    connection->Abort();
    connection.reset();
    MutexLock lock(mutex_);
    --open_;
    closed_.NotifyAll();
  });
}

void AsioServer::Publish(const SchemaChange& change) {
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get(), change] {
      for (NativeConnection* connection : thread->connections) connection->Push(change);
    });
  }
}

void AsioServer::ForEachConnection(void (NativeConnection::*action)()) {
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get(), action] {
      for (NativeConnection* connection : thread->connections) (connection->*action)();
    });
  }
}

bool AsioServer::WaitUntilClosed() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kStopMs);
  MutexLock lock(mutex_);
  while (open_ > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    closed_.WaitFor(mutex_, left.count());
  }
  return true;
}

void AsioServer::Stop() {
  if (std::exchange(stopped_, true)) return;
  stopping_.store(true);
  {
    MutexLock lock(hub_->mutex);
    hub_->server = nullptr;
  }
  asio::post(threads_[0]->io, [this] {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
  });
  ForEachConnection(&NativeConnection::Stop);
  if (!WaitUntilClosed()) ForEachConnection(&NativeConnection::Abort);
  context_.pool.Stop();  // Workers hold connections: they go before the io_contexts.
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get()] { thread->tick.cancel(); });
    thread->guard.reset();
  }
  for (const auto& thread : threads_) {
    if (thread->thread.joinable()) thread->thread.join();
  }
}

}  // namespace

Result<std::unique_ptr<NativeServer>> NativeServer::Start(Engine& engine, const NativeOptions& options) {
  auto server = std::make_unique<AsioServer>(engine, options);
  WR_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return std::unique_ptr<NativeServer>(std::move(server));
}

}  // namespace widerow
