// Serve opens the stream, reads until the connection ends, waits until all requests are answered, and closes the
// socket. ReadAll gives the bytes to the session, which returns complete requests; Dispatch runs each request here if
// it is quick, submits it if it is a write, or hands it to a worker. Workers and the storage's thread put answers into
// completed_ and post TakeCompleted to the I/O thread. Flush writes whatever the session has to send; at most one write
// runs at a time. Coroutines wait on the timer changed_, which is canceled after each change.
#include "net/native/native_connection.h"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "exec/access/logins.h"
#include "exec/session/request_counts.h"
#include "net/certificate_login.h"
#include "net/protocol/auth_response.h"
#include "net/protocol/error_response.h"
#include "parser/error_text.h"

namespace widerow {

namespace {

namespace asio = boost::asio;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr size_t kReadBytes = 64u << 10, kWriteBytes = 1u << 20;
constexpr size_t kRunHereMax = 128;  // The bound for quick requests that one Dispatch runs.
constexpr size_t kSubmittedMax = 4'096;
// An answer is counted as this many times its rows, because the rows and their copy in the frame are in memory at once.
constexpr size_t kAnswerCopies = 2;
constexpr auto kLingerTime = std::chrono::seconds(2);
// An unfinished frame gets one more millisecond for each 64 bytes received, so 64 KB a second is fast enough.
constexpr size_t kSlowBytesPerMs = 64;

RequestCounts::Kind KindOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kExecute: return RequestCounts::Kind::kExecute;
    case Opcode::kPrepare: return RequestCounts::Kind::kPrepare;
    case Opcode::kBatch: return RequestCounts::Kind::kBatch;
    case Opcode::kAuthResponse: return RequestCounts::Kind::kLogin;
    default: return RequestCounts::Kind::kQuery;
  }
}

class RequestTask final : public WorkerPool::Task {
 public:
  RequestTask(NativeContext& context, std::shared_ptr<NativeConnection> connection,
              std::shared_ptr<const ConnectionFacts> facts, NativeRequest request, MemoryAccount& account)
      : context_(context),
        connection_(std::move(connection)),
        facts_(std::move(facts)),
        request_(std::move(request)),
        memory_(account, kAnswerCopies, request_.alone) {
    memory_.Start();
  }
  ~RequestTask() override {
    if (!completed_) connection_->Abandon();
  }

  void Run() override {
    NativeAnswer answer =
        RunRequest(context_.engine, request_, std::move(facts_), context_.options.frame_bytes_max, &memory_);
    if (memory_.wants_alone()) {
      answer = NativeAnswer();
      answer.again = std::make_unique<NativeRequest>(std::move(request_));
      memory_.Encoded(0);
    } else {
      memory_.Encoded(answer.frame.capacity());
      answer.held_bytes = memory_.Release();
    }
    completed_ = true;
    connection_->Complete(std::move(answer));
  }

 private:
  NativeContext& context_;
  std::shared_ptr<NativeConnection> connection_;
  std::shared_ptr<const ConnectionFacts> facts_;
  NativeRequest request_;
  AnswerMemory memory_;  // Destroyed before connection_, which owns the account.
  bool completed_ = false;
};

class WorkTask final : public WorkerPool::Task {
 public:
  explicit WorkTask(std::function<void()> work) : work_(std::move(work)) {}
  void Run() override { work_(); }

 private:
  const std::function<void()> work_;
};

}  // namespace

NativeConnection::NativeConnection(asio::ip::tcp::socket socket, NativeContext& context,
                                   std::shared_ptr<const ConnectionFacts> facts, Admission admission,
                                   const PortPolicy& policy)
    : stream_(std::move(socket), policy),
      context_(context),
      facts_(std::move(facts)),
      session_({.frame_bytes_max = context.options.frame_bytes_max,
                .answers_bytes_max = context.options.connection_bytes_max,
                .login_required = context.logins != nullptr},
               context.budget, admission, &context.engine.request_counts()),
      client_(context.engine.connections().Add({.address = facts_->client_address, .port = facts_->client_port})),
      counts_(context.engine.request_counts()),
      changed_(stream_.get_executor(), Clock::time_point::max()) {}

asio::awaitable<void> NativeConnection::WaitUntil(bool (NativeConnection::*condition)() const) {
  while (!(this->*condition)()) {
    changed_.expires_at(Clock::time_point::max());
    co_await changed_.async_wait(kTuple);
  }
}

asio::awaitable<void> NativeConnection::Serve() {
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  if (!co_await OpenStream()) co_return;
  co_await ReadAll();
  co_await WaitUntil(&NativeConnection::quiet);
  if (!broken_) co_await CloseGently();
}

asio::awaitable<bool> NativeConnection::OpenStream() {
  const ClientStream::Opened opened = co_await stream_.Open(Self());
  opening_ = false;
  if (opened == ClientStream::Opened::kFailed || broken_) co_return false;
  if (opened == ClientStream::Opened::kNotEncrypted) {
    session_.Refuse(ProtocolError("This port requires TLS", "turn on TLS in the client, for example cqlsh --ssl"));
  }
  if (context_.logins == nullptr) co_return true;
  if (std::optional<Result<UserPtr>> user = UserOfCertificate(stream_.tls(), *context_.logins)) {
    context_.engine.statement_log()->EndLogin(user->ok() ? (**user)->role() : stream_.tls()->client->identity,
                                              facts_->client_address, user->ok() ? nullptr : &user->error());
    if (user->ok()) SetUser(**user);
    session_.SetCertificateLogin(user->ok() ? OkStatus() : Status(user->error()));
  }
  co_return true;
}

asio::awaitable<void> NativeConnection::ReadAll() {
  std::array<char, kReadBytes> buffer;
  while (!session_.closing() && !stopping_ && !broken_) {
    const auto [code, bytes] = co_await stream_.async_read_some(asio::buffer(buffer), kTuple);
    if (code || stopping_) co_return;
    const size_t frames_before = session_.frames_received();
    session_.Receive({buffer.data(), bytes}, received_);
    NoteProgress(bytes, frames_before);
    NoteClient();
    for (NativeRequest& request : received_) waiting_.push_back(std::move(request));
    received_.clear();
    Dispatch();
    Flush();
    paused_ = !may_read();
    if (paused_) co_await WaitUntil(&NativeConnection::may_read);
    if (std::exchange(paused_, false)) frame_begun_ = Clock::now();
  }
}

void NativeConnection::NoteClient() {
  if (session_.ready()) Trust();
  if (session_.version() == noted_version_ && session_.keyspace() == noted_keyspace_ && username_ == noted_username_)
    return;
  noted_username_ = username_;
  noted_version_ = session_.version();
  noted_keyspace_ = session_.keyspace();
  client_->Set({.address = facts_->client_address,
                .port = facts_->client_port,
                .stage = "ready",
                .options = session_.startup_options(),
                .keyspace = noted_keyspace_,
                .protocol_version = noted_version_,
                .username = noted_username_,
                .tls_protocol = stream_.tls() == nullptr ? "" : stream_.tls()->protocol,
                .tls_cipher = stream_.tls() == nullptr ? "" : stream_.tls()->cipher});
}

void NativeConnection::NoteProgress(size_t bytes, size_t frames_before) {
  if (session_.frames_received() != frames_before || frame_received_ == 0) {
    frame_begun_ = Clock::now();
    frame_received_ = 0;
  }
  frame_received_ = session_.incomplete() ? frame_received_ + bytes : 0;
}

void NativeConnection::Dispatch() {
  if (broken_) return waiting_.clear();  // The connection is closed, so no answer can reach the client.
  const NativeOptions& options = context_.options;
  const std::function<std::shared_ptr<AnswerSink>()> sink = [this] { return Self(); };
  size_t run_here = 0;
  while (!waiting_.empty() && running_ < options.workers_max && submitted_ < kSubmittedMax && may_start()) {
    if (!waiting_.front().alone) {
      client_->CountRequest();
      counts_.CountRequest(KindOf(waiting_.front().opcode));
    }
    if (waiting_.front().opcode == Opcode::kAuthResponse) {
      ++running_;
      LogIn(std::move(waiting_.front()));
      waiting_.pop_front();
      continue;
    }
    // Handing a request to another thread and its answer back costs more than running a quick request. After
    // kRunHereMax of them the workers take over, so that other connections of this thread get their turn.
    if (run_here < kRunHereMax) {
      NativeAnswer answer;
      AnswerMemory memory(session_.answers(), kAnswerCopies, waiting_.front().alone);
      const QuickRun run = RunIfQuick(context_.engine, waiting_.front(), facts_, sink, answer, &memory);
      if (run != QuickRun::kNo && !memory.wants_alone()) {
        ++run_here;
        waiting_.pop_front();
        if (run == QuickRun::kDone) session_.Deliver(std::move(answer));
        if (run == QuickRun::kSubmitted) ++submitted_;
        continue;
      }
    }
    ++running_;
    alone_ = waiting_.front().alone;
    context_.pool.Submit(
        std::make_unique<RequestTask>(context_, Self(), facts_, std::move(waiting_.front()), session_.answers()));
    waiting_.pop_front();
  }
}

void NativeConnection::SetUser(const UserPtr& user) {
  username_ = user->role();
  ConnectionFacts known = *facts_;
  known.user = user;
  facts_ = std::make_shared<const ConnectionFacts>(std::move(known));
}

void NativeConnection::LogIn(NativeRequest request) {
  Result<LoginRequest> login = DecodeSaslPlain(request.body);
  const auto answer = [self = Self(), to = request.to, log = context_.engine.statement_log(),
                       role = login.ok() ? login->role : std::string()](Result<UserPtr> user) {
    NativeAnswer done;
    log->EndLogin(role, self->facts_->client_address, user.ok() ? nullptr : &user.error());
    if (user.ok()) {
      done.frame = EncodeAuthSuccess(to);
      done.user = std::move(*user);
    } else {
      done.frame = EncodeError(to, user.error(), FullErrorText(user.error(), {}), {});
      done.error = user.error().code;
    }
    self->Complete(std::move(done));
  };
  if (!login.ok()) return answer(login.error());
  login->address = facts_->client_address;
  context_.logins->Login(std::move(*login), answer);
}

std::shared_ptr<AnswerMemory> NativeConnection::MakeMemory() {
  struct Kept {
    std::shared_ptr<NativeConnection> connection;  // It owns the account.
    AnswerMemory memory;
  };
  const std::shared_ptr<Kept> kept(new Kept{Self(), {session_.answers(), kAnswerCopies, true}});
  return {kept, &kept->memory};
}

void NativeConnection::RunOnWorker(std::function<void()> work) {
  context_.pool.Submit(std::make_unique<WorkTask>(std::move(work)));
}

void NativeConnection::Add(NativeAnswer answer, bool from_worker) {
  try {
    {
      MutexLock lock(mutex_);
      completed_.push_back(std::move(answer));
      from_workers_ += from_worker ? 1 : 0;
      if (std::exchange(posted_, true)) return;
    }
    asio::post(stream_.get_executor(), [self = Self()] { self->RunStep([&] { self->TakeCompleted(); }); });
  } catch (const std::exception&) { Abandon(); }
}

void NativeConnection::TakeCompleted() {
  std::vector<NativeAnswer> completed;
  {
    MutexLock lock(mutex_);
    completed.swap(completed_);
    const size_t from_workers = std::exchange(from_workers_, 0);
    running_ -= from_workers;
    submitted_ -= completed.size() - from_workers;
    posted_ = false;
  }
  if (running_ == 0) alone_ = false;
  for (NativeAnswer& answer : completed) {
    if (answer.again && !broken_) {
      answer.again->alone = true;
      waiting_.push_front(std::move(*answer.again));
      continue;
    }
    if (answer.again) answer.request_bytes = answer.again->held_bytes;
    if (broken_) Bytes().swap(answer.frame);
    if (answer.user != nullptr) SetUser(answer.user);
    session_.Deliver(std::move(answer));
  }
  NoteClient();
  Dispatch();
  Flush();
  if (session_.closing() && !broken_) {  // For example, after a wrong password. The shutdown ends the waiting read.
    boost::system::error_code ignored;
    stream_.socket().shutdown(asio::socket_base::shutdown_receive, ignored);
  }
  changed_.cancel();
}

void NativeConnection::Push(const SchemaChange& change) {
  RunStep([&] {
    session_.Push(change);
    Flush();
  });
}

void NativeConnection::Flush() {
  if (writing_ || broken_) return;
  sending_ = session_.TakeOutput();
  if (sending_.empty()) return;
  writing_ = true;
  written_ = Clock::now();
  asio::async_write(
      stream_, asio::buffer(sending_),
      [self = Self()](const boost::system::error_code& code, size_t) -> size_t {
        self->written_ = Clock::now();
        return code ? 0 : kWriteBytes;
      },
      [self = Self()](const boost::system::error_code& code, size_t) {
        self->RunStep([&] { self->OnWritten(code); });
      });
}

void NativeConnection::OnWritten(const boost::system::error_code& code) {
  writing_ = false;
  session_.Written(sending_.size());
  sending_ = Bytes();
  if (code) Abort();
  Dispatch();
  Flush();
  changed_.cancel();
}

asio::awaitable<void> NativeConnection::CloseGently() {
  // The client may still be sending. If we closed at once, its system would discard our last answer.
  stream_.ShutdownSend();
  std::array<char, 4'096> buffer;
  closing_at_ = Clock::now() + kLingerTime;
  for (size_t left = 1u << 20; left > 0;) {
    const auto [code, bytes] = co_await stream_.async_read_some(asio::buffer(buffer), kTuple);
    if (code) break;
    left -= std::min(left, bytes);
  }
  Abort();
}

void NativeConnection::Stop() {
  stopping_ = true;
  // The shutdown ends the read that is waiting. The running requests are answered before the connection ends.
  boost::system::error_code ignored;
  stream_.socket().shutdown(asio::socket_base::shutdown_receive, ignored);
  changed_.cancel();
}

void NativeConnection::Abort() {
  broken_ = true;
  boost::system::error_code ignored;
  stream_.socket().close(ignored);
  changed_.cancel();
}

void NativeConnection::CheckTime(Clock::time_point now) {
  const auto stall = std::chrono::milliseconds(context_.options.stall_ms);
  const auto slow = std::chrono::milliseconds(frame_received_ / kSlowBytesPerMs);
  const bool never_started =
      !session_.ready() && now - opened_ > std::chrono::milliseconds(context_.options.startup_ms);
  const bool handshake_stalled =
      opening_ && now - opened_ > std::chrono::milliseconds(context_.options.tls_handshake_ms);
  const bool frame_stalled = frame_received_ > 0 && !paused_ && now - frame_begun_ > stall + slow;
  const bool write_stalled = writing_ && now - written_ > stall;
  const bool lingered = closing_at_ && now > *closing_at_;
  if (never_started || handshake_stalled || frame_stalled || write_stalled || lingered || abandoned_) Abort();
}

}  // namespace widerow
