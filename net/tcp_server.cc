// AcceptAll, a coroutine on the first I/O thread, accepts sockets and hands them to the threads in turn. Admit counts
// each one, lets `make_` build its connection and starts the connection's Serve coroutine. Tick calls CheckTime of each
// connection twice a second. The deleter of a connection's shared_ptr calls Leave, for which Stop waits.
#include "net/tcp_server.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>

#include "base/short_turns.h"
#include "net/endpoint.h"

namespace widerow {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
// The number of connections over the limit that get an answer; further ones are closed without one.
constexpr size_t kTurnedAwayMax = 64;
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr auto kAcceptPause = std::chrono::milliseconds(50);

}  // namespace

struct TcpServer::IoThread {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  absl::flat_hash_set<TcpConnection*> served;  // Used on this thread only.
  asio::steady_timer tick{io};
  std::thread thread;
};

TcpServer::TcpServer(const TcpServerOptions& options, MakeConnection make)
    : options_(options),
      make_(std::move(make)),
      threads_([&options] {
        std::vector<std::unique_ptr<IoThread>> threads;
        for (unsigned i = 0; i < std::max(options.threads, 1u); ++i) threads.push_back(std::make_unique<IoThread>());
        return threads;
      }()),
      acceptor_(threads_[0]->io) {}

TcpServer::~TcpServer() { Stop(); }

Result<tcp::endpoint> TcpServer::Listen(const std::string& listen, uint16_t port) {
  return ListenOn(listen, port, acceptor_);
}

void TcpServer::Run() {
  asio::co_spawn(threads_[0]->io, AcceptAll(), [](std::exception_ptr) {});
  for (const auto& thread : threads_) {
    asio::co_spawn(thread->io, Tick(*thread), [](std::exception_ptr) {});
    thread->thread = std::thread([io = &thread->io] {
      AskForShortTurns();
      io->run();
    });
  }
}

asio::awaitable<void> TcpServer::AcceptAll() {
  asio::steady_timer pause(threads_[0]->io);
  for (size_t turn = 0;; ++turn) {
    IoThread* thread = threads_[turn % threads_.size()].get();
    auto [code, socket] = co_await acceptor_.async_accept(thread->io, kTuple);
    if (stopping_.load() || !acceptor_.is_open()) co_return;
    if (code) {  // Out of file descriptors, or the client has disconnected already.
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kTuple);
      continue;
    }
    asio::post(thread->io, [this, thread, accepted = tcp::socket(std::move(socket))]() mutable {
      Admit(*thread, std::move(accepted));
    });
  }
}

asio::awaitable<void> TcpServer::Tick(IoThread& thread) {
  while (!stopping_.load()) {
    thread.tick.expires_after(kTick);
    co_await thread.tick.async_wait(kTuple);
    const auto now = TcpConnection::Clock::now();
    for (TcpConnection* connection : thread.served) connection->CheckTime(now);
  }
}

void TcpServer::Admit(IoThread& thread, tcp::socket socket) {
  bool too_many = false;
  {
    MutexLock lock(mutex_);
    if (stopping_.load() || connections_ >= options_.connections_max + kTurnedAwayMax) return;
    too_many = connections_ >= options_.connections_max;
    ++connections_;
  }
  std::unique_ptr<TcpConnection> made;
  try {
    made = make_(std::move(socket), too_many);
  } catch (const std::exception&) {  // Out of memory. The socket is closed.
    return Leave();
  }
  // The connection counts until it is destroyed, not only until Serve ends: code that still works for it may post to
  // this thread.
  std::shared_ptr<TcpConnection> connection(made.release(), [this](TcpConnection* gone) {
    delete gone;
    Leave();
  });
  thread.served.insert(connection.get());
  asio::co_spawn(thread.io, connection->Serve(), [&thread, connection](std::exception_ptr) {
    thread.served.erase(connection.get());
    connection->Abort();
  });
}

void TcpServer::Leave() {
  MutexLock lock(mutex_);
  --connections_;
  gone_.NotifyAll();
}

void TcpServer::ForEach(std::function<void(TcpConnection&)> action) {
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get(), action] {
      for (TcpConnection* connection : thread->served) action(*connection);
    });
  }
}

bool TcpServer::GoneWithin(int64_t timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  MutexLock lock(mutex_);
  while (connections_ > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    gone_.WaitFor(mutex_, left.count());
  }
  return true;
}

void TcpServer::WaitUntilGone() {
  MutexLock lock(mutex_);
  while (connections_ > 0) gone_.Wait(mutex_);
}

void TcpServer::Stop() {
  if (std::exchange(stopped_, true)) return;
  stopping_.store(true);
  asio::post(threads_[0]->io, [this] {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  });
  ForEach([](TcpConnection& connection) { connection.Stop(); });
  if (!GoneWithin(options_.stop_grace_ms)) {
    ForEach([](TcpConnection& connection) { connection.Abort(); });
    WaitUntilGone();
  }
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get()] { thread->tick.cancel(); });
    thread->guard.reset();
  }
  for (const auto& thread : threads_) {
    if (thread->thread.joinable()) thread->thread.join();
  }
}

}  // namespace widerow
