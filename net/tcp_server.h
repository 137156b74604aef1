// The common base of the native, the HTTP and the HBase server: listens, spreads connections over I/O threads, counts
// them, limits them and stops them.
//
// One thread, which is none of the server's own, calls Listen, Run and Stop. Each connection is created, served and
// called on one I/O thread. Code that works for a connection on another thread holds a shared_ptr to the connection
// until after its last post to the connection's executor. The server counts a connection from the moment when its
// socket is accepted until its last shared_ptr is gone, on whatever thread that happens. While a connection is counted,
// its I/O thread runs.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/admissions.h"

namespace widerow {

// One client's connection, as the server sees it. All functions run on the connection's I/O thread; the destructor may
// run on any thread.
class TcpConnection : public std::enable_shared_from_this<TcpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~TcpConnection() = default;
  // Serves the client until the client, Stop or Abort ends the connection.
  virtual boost::asio::awaitable<void> Serve() = 0;
  // Lets Serve end as soon as the running requests have been answered.
  virtual void Stop() = 0;
  // Closes the socket. Serve then ends soon, without further reads and writes.
  virtual void Abort() = 0;
  // Called twice a second, for connections that check how slow their client is.
  virtual void CheckTime(Clock::time_point) {}

 protected:
  // Runs a step of the connection that is not a part of Serve. If the step throws, for lack of memory, the connection
  // is aborted. (If Serve throws, its caller aborts the connection.)
  template <typename Step>
  void RunStep(const Step& step) {
    try {
      step();
    } catch (const std::exception&) { Abort(); }
  }
  // Must be called when the client has logged in or, if nobody has to log in, has sent a request. Until then, the
  // client counts as a stranger, and the number of strangers from one address is limited (net/admissions.h).
  void Trust() {
    if (place_ != nullptr) place_->Trust();
  }

 private:
  friend class TcpServer;
  Admissions::Place* place_ = nullptr;  // Outlives the connection.
};

struct TcpServerOptions {
  unsigned threads = 2;
  AdmissionLimits admissions;
  int64_t stop_grace_ms = 10'000;  // Time for slow clients to take their answers when the server stops.
};

class TcpServer {
 public:
  // Makes the connection of an accepted client, on the I/O thread that will serve it. If the client is not admitted,
  // the connection must tell the client why, and end. If too many clients are being told so already, a further client
  // is disconnected without an answer, and this function is not called for it. An exception, for example for lack of
  // memory, disconnects the client.
  using MakeConnection =
      std::function<std::unique_ptr<TcpConnection>(boost::asio::ip::tcp::socket socket, Admission admission)>;

  TcpServer(const TcpServerOptions& options, MakeConnection make);
  ~TcpServer();  // Does the same as Stop().

  // Listens on the address (see ListenOn in net/endpoint.h) and returns the actual endpoint. May be called for several
  // ports, before Run. All ports share the limits of connections. `make` makes the connections of this port; without
  // it, the function that the constructor got makes them.
  Result<boost::asio::ip::tcp::endpoint> Listen(const std::string& listen, uint16_t port);
  Result<boost::asio::ip::tcp::endpoint> Listen(const std::string& listen, uint16_t port, MakeConnection make);
  // Starts the threads.
  void Run();
  // Calls `action` soon for each served connection, on the connection's thread. Any thread may call it, but not during
  // or after Stop.
  void ForEach(std::function<void(TcpConnection&)> action);
  // Stops accepting and lets connections finish their running requests; closes those that remain after the grace time.
  // Stop then waits without a limit until the last connection has been destroyed, that is, until all code that works
  // for a connection has released it. Last, it joins the threads. A second call does nothing.
  void Stop();

 private:
  struct IoThread;
  struct Listener;

  boost::asio::awaitable<void> AcceptAll(Listener& listener);
  boost::asio::awaitable<void> Tick(IoThread& thread);
  // Lets `thread` serve an accepted client. If admissions_ gives no Place, disconnects the client instead.
  void Take(const Listener& listener, IoThread& thread, boost::asio::ip::tcp::socket socket);
  void Serve(const Listener& listener, IoThread& thread, boost::asio::ip::tcp::socket socket,
             std::shared_ptr<Admissions::Place> place);

  const TcpServerOptions options_;
  const MakeConnection make_;
  Admissions admissions_;  // Outlives threads_, because the Places of their connections refer to it.
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::vector<std::unique_ptr<Listener>> listeners_;  // Run on the first I/O thread.
  bool stopped_ = false;
  std::atomic<bool> stopping_{false};
};

}  // namespace widerow
