#include "net/http/http_server.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>
#include <thread>

#include "base/mutex.h"
#include "net/endpoint.h"
#include "net/http/connection.h"

namespace widerow {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// How many connections over the limit are told so before further ones are closed without a word.
constexpr size_t kTurnedAwayMax = 64;
// How long Stop waits for clients that are slow to take their answers.
constexpr int64_t kStopMs = 10'000;

// One thread with its io_context and the connections that live on it.
struct Worker {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  std::set<ServerConnection*> connections;  // Touched on this thread only.
  std::thread thread;
};

class BeastServer final : public HttpServer {
 public:
  BeastServer(Engine& engine, HttpOptions options) : options_(std::move(options)), api_(engine, options_.listen) {
    for (unsigned i = 0; i < std::max(options_.threads, 1u); ++i) workers_.push_back(std::make_unique<Worker>());
    acceptor_ = std::make_unique<tcp::acceptor>(workers_[0]->io);
  }
  ~BeastServer() override { Stop(); }

  Status Listen();
  void Run();
  void Stop() override;
  uint16_t port() const override { return port_; }
  std::string address() const override { return address_; }

 private:
  asio::awaitable<void> AcceptAll();
  void Admit(Worker& worker, tcp::socket socket);
  void ForEachConnection(void (ServerConnection::*action)());
  // True when all are closed, false after kStopMs.
  bool WaitUntilClosed() WR_EXCLUDES(mutex_);

  const HttpOptions options_;
  HttpApi api_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<tcp::acceptor> acceptor_;  // On the first worker.
  uint16_t port_ = 0;
  std::string address_;
  bool stopped_ = false;
  std::atomic<bool> stopping_{false};

  Mutex mutex_;
  CondVar closed_;
  size_t open_ WR_GUARDED_BY(mutex_) = 0;
};

Status BeastServer::Listen() {
  WR_ASSIGN_OR_RETURN(const tcp::endpoint real, ListenOn(options_.listen, options_.port, *acceptor_));
  port_ = real.port();
  address_ = HostPort(real);
  return {};
}

void BeastServer::Run() {
  asio::co_spawn(workers_[0]->io, AcceptAll(), [](std::exception_ptr) {});
  for (const auto& worker : workers_) {
    worker->thread = std::thread([io = &worker->io] { io->run(); });
  }
}

asio::awaitable<void> BeastServer::AcceptAll() {
  asio::steady_timer pause(workers_[0]->io);
  for (size_t turn = 0;; ++turn) {
    Worker* worker = workers_[turn % workers_.size()].get();
    auto [code, socket] = co_await acceptor_->async_accept(worker->io, kTuple);
    if (stopping_.load() || !acceptor_->is_open()) co_return;
    if (code) {  // Out of file descriptors, or the client is gone already.
      pause.expires_after(std::chrono::milliseconds(50));
      co_await pause.async_wait(kTuple);
      continue;
    }
    asio::post(worker->io, [this, worker, accepted = tcp::socket(std::move(socket))]() mutable {
      Admit(*worker, std::move(accepted));
    });
  }
}

void BeastServer::Admit(Worker& worker, tcp::socket socket) {
  bool too_many = false;
  {
    MutexLock lock(mutex_);
    if (stopping_.load() || open_ >= options_.connections_max + kTurnedAwayMax) return;
    too_many = open_ >= options_.connections_max;
    ++open_;
  }
  auto connection = std::make_shared<ServerConnection>(std::move(socket), api_, options_);
  worker.connections.insert(connection.get());
  asio::co_spawn(worker.io, too_many ? connection->TurnAway() : connection->Serve(),
                 [this, &worker, connection](std::exception_ptr) mutable {
                   worker.connections.erase(connection.get());
                   connection.reset();
                   MutexLock lock(mutex_);
                   --open_;
                   closed_.NotifyAll();
                 });
}

void BeastServer::ForEachConnection(void (ServerConnection::*action)()) {
  for (const auto& worker : workers_) {
    asio::post(worker->io, [worker = worker.get(), action] {
      for (ServerConnection* connection : worker->connections) (connection->*action)();
    });
  }
}

bool BeastServer::WaitUntilClosed() {
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

void BeastServer::Stop() {
  if (std::exchange(stopped_, true)) return;
  stopping_.store(true);
  api_.SetStopping();
  asio::post(workers_[0]->io, [this] {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
  });
  ForEachConnection(&ServerConnection::Stop);
  if (!WaitUntilClosed()) ForEachConnection(&ServerConnection::Abort);
  for (const auto& worker : workers_) worker->guard.reset();
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::Start(Engine& engine, const HttpOptions& options) {
  auto server = std::make_unique<BeastServer>(engine, options);
  WR_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace widerow
