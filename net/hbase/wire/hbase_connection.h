// One HBase client's socket: reads frames, runs the requests or lets workers run them, and writes the answers, in
// whatever order they are ready. Belongs to one I/O thread. Other threads may call only Complete, while they hold a
// shared_ptr to the connection (net/tcp_server.h).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>

#include "base/mutex.h"
#include "exec/session/connection_registry.h"
#include "net/client_stream.h"
#include "net/hbase/service/services.h"
#include "net/hbase/wire/frames.h"
#include "net/hbase/wire/hbase_server.h"
#include "net/memory_budget.h"
#include "net/tcp_server.h"
#include "net/worker_pool.h"

namespace widerow::hbase {

// State that all connections of the server share.
struct HBaseContext {
  HBaseContext(Engine& engine_in, const HBaseOptions& options_in, ServerAddress address)
      : engine(engine_in),
        logins(engine_in.logins()),
        options(options_in),
        services(engine_in, std::move(address)),
        budget(options_in.total_bytes_max),
        pool(options_in.workers_max) {}

  Engine& engine;
  Logins* const logins;  // Null: nobody has to log in.
  const HBaseOptions options;
  Services services;
  MemoryBudget budget;
  WorkerPool pool;
};

class HBaseConnection final : public TcpConnection {
 public:
  HBaseConnection(boost::asio::ip::tcp::socket socket, HBaseContext& context, Admission admission);

  // The results of the login. They do not change after the first request has been read.
  const Caller& caller() const { return caller_; }
  const std::optional<Error>& refused() const { return refused_; }

  boost::asio::awaitable<void> Serve() override;
  void Stop() override;
  void Abort() override;
  void CheckTime(Clock::time_point now) override;
  // The connection's memory. Safe on any thread.
  MemoryAccount& memory() { return memory_; }
  // Hands over the frame of an answer. `request_bytes` is what the request counted in memory(). Safe on any thread.
  void Complete(Bytes frame, size_t request_bytes);

 private:
  std::shared_ptr<HBaseConnection> Self() { return std::static_pointer_cast<HBaseConnection>(shared_from_this()); }
  // Opens the stream: shakes hands if the client speaks TLS, and logs the client in. Returns false if the connection
  // ends.
  boost::asio::awaitable<bool> OpenStream();
  void LogIn();
  // Tells the client that nothing more comes, and waits until the client has closed the connection or kLingerTime is
  // over. Without the wait, the client's system could discard answers that the client has not read yet.
  boost::asio::awaitable<void> CloseGently();
  // Answers a client whose connection cannot go on.
  boost::asio::awaitable<void> Refuse(const Error& error);
  boost::asio::awaitable<bool> ReadPreamble();
  boost::asio::awaitable<bool> ReadHeader();
  boost::asio::awaitable<void> ReadRequests();
  // Reads the length of a frame, and the frame. nullopt: the connection ends.
  boost::asio::awaitable<std::optional<Bytes>> ReadFrame();
  // Reads through input_ if fewer than kInputBytes bytes are missing, because a read with TLS should have space for a
  // whole record.
  boost::asio::awaitable<bool> ReadExactly(char* to, size_t size);
  boost::asio::awaitable<void> WaitUntilMayRead();
  boost::asio::awaitable<void> WaitUntilQuiet();
  struct Completed {
    Bytes frame;  // The answer's frame.
    size_t request_bytes;
  };

  // Answers a short Get, starts a short put, and lets a worker run any other request.
  void Dispatch(Bytes frame, size_t counted);
  // Puts the answer into output_. Its request no longer counts in memory().
  void Keep(Completed completed);
  void TakeCompleted() WR_EXCLUDES(mutex_);
  void Queue(Bytes frame);
  // Adds a frame to output_. Short frames share a buffer, because each buffer takes memory that is not counted.
  void Append(Bytes frame);
  void Flush();
  bool may_read() const;

  static constexpr size_t kInputBytes = 16u << 10;

  ClientStream stream_;
  HBaseContext& context_;
  const Admission admission_;
  const std::shared_ptr<ConnectionRegistry::Entry> client_;
  MemoryAccount memory_;
  ConnectionHeader header_;
  Caller caller_;                  // The role that has logged in.
  std::optional<Error> refused_;   // The answer to every request of a client that could not log in.
  std::unique_ptr<char[]> input_;  // Bytes that have been read, from input_at_ to input_end_; null: none yet.
  size_t input_at_ = 0, input_end_ = 0;
  boost::asio::steady_timer changed_;
  size_t running_ = 0;
  std::deque<Bytes> output_;
  Bytes sending_;
  bool writing_ = false, broken_ = false, stopping_ = false;
  bool in_frame_ = false;
  bool opening_ = true, not_encrypted_ = false;
  std::optional<Clock::time_point> closing_at_;  // The time until which CloseGently waits.
  const Clock::time_point opened_ = Clock::now();
  Clock::time_point frame_begun_ = Clock::now(), written_ = Clock::now();

  Mutex mutex_;
  std::vector<Completed> completed_ WR_GUARDED_BY(mutex_);
  bool posted_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow::hbase
