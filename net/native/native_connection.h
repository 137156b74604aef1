// One client's socket: moves bytes between it and its NativeSession, requests to the workers, answers back. Lives on one I/O
// thread; only Complete() may be called from others, by who holds a shared_ptr to the connection (net/tcp_server.h). Answers
// that are ready together leave in one write.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "exec/outcome.h"
#include "exec/engine.h"
#include "net/native/native_server.h"
#include "net/native/session.h"
#include "net/native/run_request.h"
#include "net/tcp_server.h"
#include "net/worker_pool.h"

namespace widerow {

// What all connections of a server share.
struct NativeContext {
  NativeContext(Engine& engine_in, NativeOptions options_in)
      : engine(engine_in), logins(engine.logins()), options(std::move(options_in)), budget(options.total_bytes_max),
        pool(options.workers_max) {}

  Engine& engine;
  Logins* const logins;  // Null: nobody has to log in.
  const NativeOptions options;
  MemoryBudget budget;
  WorkerPool pool;
};

class NativeConnection final : public TcpConnection, public AnswerSink {
 public:
  NativeConnection(boost::asio::ip::tcp::socket socket, NativeContext& context,
                   std::shared_ptr<const ConnectionFacts> facts, bool refused);

  boost::asio::awaitable<void> Serve() override;
  // The answer of a request that a worker ran. Any thread.
  void Complete(NativeAnswer answer) { Add(std::move(answer), true); }
  void CompleteSubmitted(NativeAnswer answer) override { Add(std::move(answer), false); }
  void Push(const SchemaChange& change);
  void Stop() override;
  void Abort() override;
  void CheckTime(Clock::time_point now) override;

 private:
  std::shared_ptr<NativeConnection> Self() { return std::static_pointer_cast<NativeConnection>(shared_from_this()); }
  boost::asio::awaitable<void> ReadAll();
  boost::asio::awaitable<void> WaitUntil(bool (NativeConnection::*condition)() const);
  boost::asio::awaitable<void> CloseGently();
  void Add(NativeAnswer answer, bool from_worker) WR_EXCLUDES(mutex_);
  void LogIn(NativeRequest request);
  // Runs waiting requests, or hands them to the workers, as many as may run now.
  void Dispatch();
  // Brings this connection's line of system_views.clients up to date.
  void NoteClient();
  void NoteProgress(size_t bytes, size_t frames_before);
  void TakeCompleted() WR_EXCLUDES(mutex_);
  void Flush();
  void OnWritten(const boost::system::error_code& code);
  bool may_read() const { return broken_ || session_.pending_bytes() <= context_.options.connection_bytes_max; }
  bool quiet() const { return broken_ || (session_.requests_running() == 0 && !writing_); }

  boost::asio::ip::tcp::socket socket_;
  NativeContext& context_;
  std::shared_ptr<const ConnectionFacts> facts_;  // Others once the client has logged in.
  NativeSession session_;
  const std::shared_ptr<ConnectionRegistry::Entry> client_;
  std::string noted_keyspace_;  // What client_ says.
  uint8_t noted_version_ = 0;
  std::string username_ = "anonymous", noted_username_ = username_;
  std::vector<NativeRequest> received_;  // Of the last read.
  std::deque<NativeRequest> waiting_;    // Not with the workers yet: too many run, or answers wait to be taken.
  size_t running_ = 0;                   // With the workers.
  size_t submitted_ = 0;                 // Writes on their way to the disk.
  boost::asio::steady_timer changed_;  // Cancelled when something Serve may wait for has changed.
  Bytes sending_;                      // What is being written.
  bool writing_ = false, broken_ = false, stopping_ = false;

  const Clock::time_point opened_ = Clock::now();
  Clock::time_point written_ = opened_;      // When the client last took some bytes.
  Clock::time_point frame_begun_ = opened_;  // Since when the frame that comes has been unfinished.
  size_t frame_received_ = 0;                // Bytes since then.
  std::optional<Clock::time_point> closing_at_;  // When a client that does not close is not waited for any longer.
  bool paused_ = false;                      // Reading waits for answers to leave.

  Mutex mutex_;
  std::vector<NativeAnswer> completed_ WR_GUARDED_BY(mutex_);
  size_t from_workers_ WR_GUARDED_BY(mutex_) = 0;  // Of them.
  bool posted_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
