// AcceptAll, a coroutine on the first I/O thread for each port, accepts sockets. Take gets a Place from admissions_ at
// once, so that each socket is counted as soon as it has a file descriptor. Then Take hands the socket to one of the
// threads in turn. There, Serve lets the listener's `make` build the connection, and starts the connection's coroutine.
// Tick calls CheckTime of each connection twice a second. The deleter of a connection's shared_ptr destroys the Place.
// Stop waits until all Places are destroyed.
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

// Runs handlers until the server stops. A handler that throws, for lack of memory, affects its own connection only. The
// connection itself ends (TcpConnection::RunStep), or the client waits until CheckTime ends it.
void RunHandlers(asio::io_context& io) {
  for (bool stopped = false; !stopped;) {
    try {
      io.run();
      stopped = true;
    } catch (const std::exception&) {  // Out of memory.
    }
  }
}

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr auto kAcceptPause = std::chrono::milliseconds(50);

}  // namespace

struct TcpServer::IoThread {
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  absl::flat_hash_set<TcpConnection*> served;  // Used by `thread` only.
  asio::steady_timer tick{io};
  std::thread thread;
};

struct TcpServer::Listener {
  tcp::acceptor acceptor;
  const MakeConnection make;
};

TcpServer::TcpServer(const TcpServerOptions& options, MakeConnection make)
    : options_(options), make_(std::move(make)), admissions_(options.admissions), threads_([&options] {
        std::vector<std::unique_ptr<IoThread>> threads;
        for (unsigned i = 0; i < std::max(options.threads, 1u); ++i) threads.push_back(std::make_unique<IoThread>());
        return threads;
      }()) {}

TcpServer::~TcpServer() { Stop(); }

Result<tcp::endpoint> TcpServer::Listen(const std::string& listen, uint16_t port) {
  return Listen(listen, port, make_);
}

Result<tcp::endpoint> TcpServer::Listen(const std::string& listen, uint16_t port, MakeConnection make) {
  auto listener = std::make_unique<Listener>(Listener{tcp::acceptor(threads_[0]->io), std::move(make)});
  WR_ASSIGN_OR_RETURN(const tcp::endpoint real, ListenOn(listen, port, listener->acceptor));
  listeners_.push_back(std::move(listener));
  return real;
}

void TcpServer::Run() {
  for (const auto& listener : listeners_) {
    asio::co_spawn(threads_[0]->io, AcceptAll(*listener), [](std::exception_ptr) {});
  }
  for (const auto& thread : threads_) {
    asio::co_spawn(thread->io, Tick(*thread), [](std::exception_ptr) {});
    thread->thread = std::thread([io = &thread->io] {
      AskForShortTurns();
      RunHandlers(*io);
    });
  }
}

asio::awaitable<void> TcpServer::AcceptAll(Listener& listener) {
  asio::steady_timer pause(threads_[0]->io);
  for (size_t turn = 0;; ++turn) {
    IoThread* thread = threads_[turn % threads_.size()].get();
    auto [code, socket] = co_await listener.acceptor.async_accept(thread->io, kTuple);
    if (stopping_.load() || !listener.acceptor.is_open()) co_return;
    if (code) {  // Out of file descriptors, or the client has disconnected already.
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kTuple);
      continue;
    }
    Take(listener, *thread, tcp::socket(std::move(socket)));
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

void TcpServer::Take(const Listener& listener, IoThread& thread, tcp::socket socket) {
  try {
    std::shared_ptr<Admissions::Place> place = admissions_.Enter(FactsOf(socket, std::nullopt)->client_address);
    if (place == nullptr) return;
    asio::post(thread.io, [this, &listener, &thread, accepted = std::move(socket), place = std::move(place)]() mutable {
      Serve(listener, thread, std::move(accepted), std::move(place));
    });
  } catch (const std::exception&) {  // Out of memory. The socket is closed, and others are accepted.
  }
}

void TcpServer::Serve(const Listener& listener, IoThread& thread, tcp::socket socket,
                      std::shared_ptr<Admissions::Place> place) {
  if (stopping_.load()) return;
  TcpConnection* served = nullptr;
  try {
    std::unique_ptr<TcpConnection> made = listener.make(std::move(socket), place->admission());
    made->place_ = place.get();
    // The Place lives until the connection is destroyed, not only until the connection's coroutine ends: code that
    // still works for the connection may post to this thread.
    const std::shared_ptr<TcpConnection> connection(made.release(),
                                                    [place = std::move(place)](TcpConnection* gone) mutable {
                                                      delete gone;
                                                      place.reset();
                                                    });
    thread.served.insert(connection.get());
    served = connection.get();
    asio::co_spawn(thread.io, connection->Serve(), [&thread, connection](std::exception_ptr) {
      thread.served.erase(connection.get());
      connection->Abort();
    });
  } catch (const std::exception&) {  // Out of memory. The socket is closed.
    thread.served.erase(served);
  }
}

void TcpServer::ForEach(std::function<void(TcpConnection&)> action) {
  for (const auto& thread : threads_) {
    asio::post(thread->io, [thread = thread.get(), action] {
      for (TcpConnection* connection : thread->served) action(*connection);
    });
  }
}

void TcpServer::Stop() {
  if (std::exchange(stopped_, true)) return;
  stopping_.store(true);
  admissions_.Close();
  asio::post(threads_[0]->io, [this] {
    boost::system::error_code ignored;
    for (const auto& listener : listeners_) listener->acceptor.close(ignored);
  });
  ForEach([](TcpConnection& connection) { connection.Stop(); });
  if (!admissions_.EmptyWithin(options_.stop_grace_ms)) {
    ForEach([](TcpConnection& connection) { connection.Abort(); });
    admissions_.WaitUntilEmpty();
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
