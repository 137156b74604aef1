// One client's connection. Moves bytes between its stream and its NativeSession, gives requests to the workers and
// takes their answers back. Answers that are ready at the same time leave in one write. A connection belongs to one I/O
// thread. Other threads may call only Complete and CompleteSubmitted, and only while they hold a shared_ptr to the
// connection (net/tcp_server.h).
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
#include "exec/access/user.h"
#include "exec/engine/engine.h"
#include "exec/rows/outcome.h"
#include "net/client_stream.h"
#include "net/native/native_server.h"
#include "net/native/run_request.h"
#include "net/native/session.h"
#include "net/tcp_server.h"
#include "net/worker_pool.h"

namespace widerow {

// State that all connections of one server share.
struct NativeContext {
  NativeContext(Engine& engine_in, NativeOptions options_in)
      : engine(engine_in),
        logins(engine.logins()),
        options(std::move(options_in)),
        budget(options.total_bytes_max),
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
                   std::shared_ptr<const ConnectionFacts> facts, Admission admission, const PortPolicy& policy);

  boost::asio::awaitable<void> Serve() override;
  // Takes the answer of a request that a worker ran. Safe on any thread.
  void Complete(NativeAnswer answer) { Add(std::move(answer), true); }
  // Takes the answer of a write that was submitted to the storage. Safe on any thread.
  void CompleteSubmitted(NativeAnswer answer) override { Add(std::move(answer), false); }
  std::shared_ptr<AnswerMemory> MakeMemory() override;
  // Safe on any thread.
  void RunOnWorker(std::function<void()> work) override;
  // Closes the connection soon, because one of its requests gets no answer. Safe on any thread.
  void Abandon() { abandoned_.store(true, std::memory_order_relaxed); }
  // Tells the client about a schema change, if it has registered for such events.
  void Push(const SchemaChange& change);
  void Stop() override;
  void Abort() override;
  void CheckTime(Clock::time_point now) override;

 private:
  std::shared_ptr<NativeConnection> Self() { return std::static_pointer_cast<NativeConnection>(shared_from_this()); }
  // Opens the stream: shakes hands if the client speaks TLS. Returns false if the connection ends.
  boost::asio::awaitable<bool> OpenStream();
  boost::asio::awaitable<void> ReadAll();
  boost::asio::awaitable<void> WaitUntil(bool (NativeConnection::*condition)() const);
  boost::asio::awaitable<void> CloseGently();
  // Queues an answer and wakes up the I/O thread, unless it has been woken already. Abandons the connection if there is
  // no memory for that.
  void Add(NativeAnswer answer, bool from_worker) WR_EXCLUDES(mutex_);
  // Notes the role that has logged in.
  void SetUser(const UserPtr& user);
  // Checks an AUTH_RESPONSE's user name and password. Its answer arrives through Complete.
  void LogIn(NativeRequest request);
  // Starts waiting requests, as many as may run at once: quick ones on this thread, the others on workers.
  void Dispatch();
  // Applies what has changed in the session: updates this connection's row of system_views.clients, and calls Trust
  // once the session is ready.
  void NoteClient();
  // Notes when the unfinished frame began and how many bytes of it have arrived, for CheckTime.
  void NoteProgress(size_t bytes, size_t frames_before);
  // Delivers completed answers to the session, then continues with waiting requests.
  void TakeCompleted() WR_EXCLUDES(mutex_);
  // Writes the session's output, unless a write is running.
  void Flush();
  void OnWritten(const boost::system::error_code& code);
  bool may_read() const { return broken_ || session_.pending_bytes() <= session_.answers().PartMax(); }
  // True if the first waiting request may start.
  bool may_start() const {
    const MemoryAccount& answers = session_.answers();
    if (waiting_.front().alone) return running_ == 0 && answers.held_bytes() == 0;
    return !alone_ && answers.MayStart();
  }
  bool quiet() const { return broken_ || (session_.requests_running() == 0 && !writing_); }

  ClientStream stream_;
  NativeContext& context_;
  std::shared_ptr<const ConnectionFacts> facts_;  // Replaced once the client has logged in.
  NativeSession session_;
  const std::shared_ptr<ConnectionRegistry::Entry> client_;
  RequestCounts& counts_;
  // NoteClient() has set client_ to these values: noted_keyspace_, noted_version_, noted_username_.
  std::string noted_keyspace_;
  uint8_t noted_version_ = 0;
  std::string username_ = "anonymous", noted_username_ = username_;
  std::vector<NativeRequest> received_;  // The requests of the last read.
  // Requests that no worker has yet, because too many requests run or too many answers are unwritten.
  std::deque<NativeRequest> waiting_;
  size_t running_ = 0;                 // Requests that workers have got, plus running logins.
  bool alone_ = false;                 // True: the running request must run alone.
  size_t submitted_ = 0;               // Submitted writes that are not durable yet.
  boost::asio::steady_timer changed_;  // Canceled when a condition that Serve may wait for has changed.
  Bytes sending_;                      // The bytes of the running write.
  bool writing_ = false, broken_ = false, stopping_ = false;
  bool opening_ = true;  // OpenStream runs.

  const Clock::time_point opened_ = Clock::now();
  Clock::time_point written_ = opened_;          // When the client last took some bytes.
  Clock::time_point frame_begun_ = opened_;      // The time when the unfinished frame began.
  size_t frame_received_ = 0;                    // Bytes received of the unfinished frame.
  std::optional<Clock::time_point> closing_at_;  // The time until which we wait for the client to close.
  bool paused_ = false;                          // Reading waits until answers have left.
  std::atomic<bool> abandoned_{false};

  Mutex mutex_;
  std::vector<NativeAnswer> completed_ WR_GUARDED_BY(mutex_);
  size_t from_workers_ WR_GUARDED_BY(mutex_) = 0;  // The number of answers in completed_ that came from workers.
  bool posted_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
