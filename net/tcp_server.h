// What the servers are underneath: listens, spreads connections over I/O threads, counts them, limits them and stops them.
//
// Listen, Run and Stop belong to one thread, which is none of the server's own. A connection is made, served and called on one
// I/O thread. Who works for it elsewhere keeps a shared_ptr to it until after its last post to the connection's executor: a
// connection counts from its admission until the last shared_ptr is gone, on whatever thread that is, and while any counts, its
// I/O thread runs.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace widerow {

// One client's connection, as its server knows it. All functions run on its I/O thread; the destructor runs on any.
class TcpConnection : public std::enable_shared_from_this<TcpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~TcpConnection() = default;
  // Until the client, Stop or Abort ends it.
  virtual boost::asio::awaitable<void> Serve() = 0;
  // Lets Serve end as soon as what is under way has been answered.
  virtual void Stop() = 0;
  // Closes the socket: Serve ends soon, with nothing more read or written.
  virtual void Abort() = 0;
  // Comes twice a second: for connections that watch how slow their client is.
  virtual void CheckTime(Clock::time_point) {}
};

struct TcpServerOptions {
  unsigned threads = 2;
  size_t connections_max = 1'024;
  int64_t stop_grace_ms = 10'000;  // For clients that are slow to take their answers when the server stops.
};

class TcpServer {
 public:
  // Makes the connection of a client that has come, on the I/O thread it will live on. `too_many`: it is over the limit, and is
  // to be told so. Further ones are closed without a word.
  using MakeConnection =
      std::function<std::unique_ptr<TcpConnection>(boost::asio::ip::tcp::socket socket, bool too_many)>;

  TcpServer(const TcpServerOptions& options, MakeConnection make);
  ~TcpServer();  // As Stop().

  // Takes the address, as ListenOn (net/endpoint.h), and says which it is.
  Result<boost::asio::ip::tcp::endpoint> Listen(const std::string& listen, uint16_t port);
  // Starts the threads.
  void Run();
  // Calls `action` for each connection that is being served, soon and on its thread. Any thread, not beside or after Stop.
  void ForEach(std::function<void(TcpConnection&)> action);
  // Stops accepting and lets connections finish what is under way; those not gone within the grace time are closed. Then waits,
  // as long as it takes, until the last connection has been destroyed: until all that works for one elsewhere has let go of it.
  // Then joins the threads. A second call does nothing.
  void Stop() WR_EXCLUDES(mutex_);

 private:
  struct IoThread;

  boost::asio::awaitable<void> AcceptAll();
  boost::asio::awaitable<void> Tick(IoThread& thread);
  void Admit(IoThread& thread, boost::asio::ip::tcp::socket socket) WR_EXCLUDES(mutex_);
  // A connection has been destroyed.
  void Leave() WR_EXCLUDES(mutex_);
  // True when all connections are gone, false after `timeout_ms`.
  bool GoneWithin(int64_t timeout_ms) WR_EXCLUDES(mutex_);
  void WaitUntilGone() WR_EXCLUDES(mutex_);

  const TcpServerOptions options_;
  const MakeConnection make_;
  std::vector<std::unique_ptr<IoThread>> threads_;
  boost::asio::ip::tcp::acceptor acceptor_;  // On the first thread.
  bool stopped_ = false;
  std::atomic<bool> stopping_{false};

  Mutex mutex_;
  CondVar gone_;
  size_t connections_ WR_GUARDED_BY(mutex_) = 0;
};

}  // namespace widerow
