// Serve opens the stream, reads the preamble and the header of the connection, and then requests. The I/O thread
// answers short Gets at once, because handing a request to another thread and back takes longer. It also starts short
// puts, which the storage's thread completes. Other requests go to a worker. Complete gets the frame of an answer from
// these threads. TakeCompleted and Flush run on the I/O thread. A request counts in the connection's memory until it is
// answered, and an answer until it is written. Reading waits while MemoryAccount::MayStart or kRunningMax allows no
// further request.
#include "net/hbase/wire/hbase_connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/text.h"
#include "exec/access/logins.h"
#include "net/certificate_login.h"
#include "net/endpoint.h"
#include "net/hbase/cells/java_error.h"
#include "net/hbase/wire/request_task.h"

namespace widerow::hbase {

namespace {

namespace asio = boost::asio;

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr size_t kRunningMax = 256;   // Requests of one connection that run or wait for a worker.
constexpr size_t kRequestCopies = 3;  // A request is counted as this many times its frame.
constexpr size_t kHeaderBytesMax = 64u << 10;
constexpr uint32_t kPreambleCall = ~uint32_t{0};
constexpr auto kLingerTime = std::chrono::seconds(2);

Error FatalError(std::string reason) {
  return MakeJavaError("org.apache.hadoop.hbase.ipc.FatalConnectionException", std::move(reason));
}

ClientFacts ClientOf(const asio::ip::tcp::socket& socket) {
  const auto facts = FactsOf(socket, std::nullopt);
  return {.address = facts->client_address, .port = facts->client_port};
}

}  // namespace

HBaseConnection::HBaseConnection(asio::ip::tcp::socket socket, HBaseContext& context, Admission admission)
    : stream_(std::move(socket), {.security = context.options.security,
                                  .tls = context.options.tls,
                                  .certificate_required = context.options.certificate_required}),
      context_(context),
      admission_(admission),
      client_(context.engine.connections().Add(ClientOf(stream_.socket()))),
      memory_(context.budget, context.options.connection_bytes_max),
      changed_(stream_.get_executor(), Clock::time_point::max()) {}

asio::awaitable<void> HBaseConnection::Serve() {
  boost::system::error_code ignored;
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  // A client that is not served is disconnected without an error, because only a request can be answered with an error.
  // The client tries again later.
  if (admission_ == Admission::kServed && co_await OpenStream() && co_await ReadPreamble() && co_await ReadHeader()) {
    if (!refused_) Trust();
    co_await ReadRequests();
    co_await WaitUntilQuiet();
  }
  Abort();
}

asio::awaitable<bool> HBaseConnection::OpenStream() {
  const ClientStream::Opened opened = co_await stream_.Open(Self());
  opening_ = false;
  if (opened == ClientStream::Opened::kFailed || broken_ || stopping_) co_return false;
  not_encrypted_ = opened == ClientStream::Opened::kNotEncrypted;
  if (context_.logins != nullptr) LogIn();
  co_return true;
}

void HBaseConnection::LogIn() {
  const TlsFacts* const tls = stream_.tls();
  std::optional<Result<UserPtr>> user = UserOfCertificate(tls, *context_.logins);
  if (!user) {
    refused_ = Error{.code = ErrorCode::kBadCredentials,
                     .message = "HBase's clients log in with a certificate, and this one has no identity",
                     .hint = "the identity is a URI of the certificate's alternative names: spiffe://…"};
    return;
  }
  ConnectionFacts facts = *FactsOf(stream_.socket(), std::nullopt);
  const Error* const error = user->ok() ? nullptr : &user->error();
  const std::string name = error == nullptr ? (**user)->role() : tls->client->identity;
  context_.engine.statement_log()->EndLogin(name, facts.client_address, error);
  if (error != nullptr) {
    refused_ = *error;
    return;
  }
  client_->Set({.address = facts.client_address,
                .port = facts.client_port,
                .stage = "ready",
                .username = name,
                .tls_protocol = tls->protocol,
                .tls_cipher = tls->cipher});
  facts.user = **user;
  caller_ = Caller(std::make_shared<const ConnectionFacts>(std::move(facts)));
}

asio::awaitable<bool> HBaseConnection::ReadExactly(char* to, size_t size) {
  if (input_ == nullptr) input_ = std::make_unique<char[]>(kInputBytes);
  while (size > 0) {
    if (input_at_ < input_end_) {
      const size_t bytes = std::min(size, input_end_ - input_at_);
      std::memcpy(to, input_.get() + input_at_, bytes);
      input_at_ += bytes;
      to += bytes;
      size -= bytes;
      continue;
    }
    Flush();  // Answers to requests that came together go out together.
    const bool direct = size >= kInputBytes;
    const auto [code, bytes] = co_await stream_.async_read_some(
        direct ? asio::buffer(to, size) : asio::buffer(input_.get(), kInputBytes), kTuple);
    if (code || stopping_) co_return false;
    if (direct) {
      to += bytes;
      size -= bytes;
    } else {
      input_at_ = 0;
      input_end_ = bytes;
    }
  }
  co_return !stopping_;
}

asio::awaitable<void> HBaseConnection::CloseGently() {
  stream_.ShutdownSend();
  closing_at_ = Clock::now() + kLingerTime;
  std::array<char, 4'096> buffer;
  for (size_t left = 1u << 20; left > 0;) {
    const auto [code, bytes] = co_await stream_.async_read_some(asio::buffer(buffer), kTuple);
    if (code) break;
    left -= std::min(left, bytes);
  }
}

asio::awaitable<void> HBaseConnection::Refuse(const Error& error) {
  Queue(EncodeFailure(kPreambleCall, error, context_.services.address()));
  co_await WaitUntilQuiet();
  if (!broken_ && !stopping_) co_await CloseGently();
}

asio::awaitable<bool> HBaseConnection::ReadPreamble() {
  std::array<char, kPreambleBytes> preamble;
  in_frame_ = true;
  frame_begun_ = Clock::now();
  for (;;) {
    if (!co_await ReadExactly(preamble.data(), preamble.size())) co_return false;
    if (not_encrypted_) {
      co_await Refuse(FatalError("This port requires TLS: set hbase.client.netty.tls.enabled to true"));
      co_return false;
    }
    std::string reason;
    switch (ParsePreamble({preamble.data(), preamble.size()}, reason)) {
      case Preamble::kConnect: co_return true;
      case Preamble::kRegistry:
        Queue(EncodeAnswer(kPreambleCall, {.message = context_.services.ConnectionRegistry(), .cell_block = {}}));
        co_await WaitUntilMayRead();
        continue;
      case Preamble::kRefused: break;
    }
    co_await Refuse(FatalError(std::move(reason)));
    co_return false;
  }
}

asio::awaitable<bool> HBaseConnection::ReadHeader() {
  std::array<char, 4> length;
  if (!co_await ReadExactly(length.data(), length.size())) co_return false;
  const size_t size = ReadBigEndian<uint32_t>(length.data());
  if (size > kHeaderBytesMax) co_return false;
  Bytes bytes(size, '\0');
  if (!co_await ReadExactly(bytes.data(), bytes.size())) co_return false;
  in_frame_ = false;
  Result<ConnectionHeader> header = ParseConnectionHeader(bytes);
  if (header.ok()) {
    header_ = std::move(*header);
    co_return true;
  }
  co_await Refuse(header.error());
  co_return false;
}

bool HBaseConnection::may_read() const {
  return broken_ || stopping_ || (running_ < kRunningMax && memory_.MayStart());
}

asio::awaitable<void> HBaseConnection::WaitUntilMayRead() {
  while (!may_read()) {
    Flush();
    changed_.expires_at(Clock::time_point::max());
    co_await changed_.async_wait(kTuple);
  }
}

asio::awaitable<void> HBaseConnection::WaitUntilQuiet() {
  Flush();
  while (running_ > 0 || (!broken_ && writing_)) {
    changed_.expires_at(Clock::time_point::max());
    co_await changed_.async_wait(kTuple);
  }
}

asio::awaitable<std::optional<Bytes>> HBaseConnection::ReadFrame() {
  std::array<char, 4> length;
  in_frame_ = false;
  if (!co_await ReadExactly(length.data(), length.size())) co_return std::nullopt;
  const size_t size = ReadBigEndian<uint32_t>(length.data());
  in_frame_ = true;
  frame_begun_ = Clock::now();
  if (size > context_.options.frame_bytes_max) co_return std::nullopt;
  // If there is no memory for the frame, the connection ends, and the client tries again on a new one.
  if (!memory_.AddWhole(kRequestCopies * size)) co_return std::nullopt;
  Bytes frame(size, '\0');
  const bool read = co_await ReadExactly(frame.data(), frame.size());
  in_frame_ = false;
  if (read) co_return frame;
  memory_.Remove(kRequestCopies * size);
  co_return std::nullopt;
}

asio::awaitable<void> HBaseConnection::ReadRequests() {
  while (!broken_ && !stopping_) {
    std::optional<Bytes> frame = co_await ReadFrame();
    if (!frame) co_return;
    const size_t counted = kRequestCopies * frame->size() + AnswerMemory::kStartBytes;
    memory_.Add(AnswerMemory::kStartBytes);
    Dispatch(std::move(*frame), counted);
    co_await WaitUntilMayRead();
  }
}

void HBaseConnection::Dispatch(Bytes frame, size_t counted) {
  client_->CountRequest();
  auto task = std::make_unique<RequestTask>(context_, Self(), header_, std::move(frame), counted);
  if (std::optional<Bytes> answer = task->AnswerIfShort()) {
    Keep({.frame = std::move(*answer), .request_bytes = counted});
    return;
  }
  ++running_;
  if (!task->Start()) context_.pool.Submit(std::move(task));
}

void HBaseConnection::Complete(Bytes frame, size_t request_bytes) {
  {
    MutexLock lock(mutex_);
    completed_.push_back({.frame = std::move(frame), .request_bytes = request_bytes});
    if (std::exchange(posted_, true)) return;
  }
  asio::post(stream_.get_executor(), [self = Self()] { self->RunStep([&] { self->TakeCompleted(); }); });
}

void HBaseConnection::TakeCompleted() {
  std::vector<Completed> completed;
  {
    MutexLock lock(mutex_);
    completed.swap(completed_);
    posted_ = false;
  }
  running_ -= completed.size();
  for (Completed& each : completed) Keep(std::move(each));
  Flush();
  changed_.cancel();
}

void HBaseConnection::Keep(Completed completed) {
  memory_.Remove(completed.request_bytes);
  if (completed.frame.empty()) {
    Abort();  // The request could not be read. So nothing after it can be read.
  } else if (!broken_) {
    Append(std::move(completed.frame));
  }
}

void HBaseConnection::Queue(Bytes frame) {
  Append(std::move(frame));
  Flush();
}

void HBaseConnection::Append(Bytes frame) {
  constexpr size_t kSharedBytes = 4u << 10;
  memory_.Add(frame.size());
  if (!output_.empty() && output_.back().size() + frame.size() <= kSharedBytes) {
    output_.back() += frame;
  } else {
    output_.push_back(std::move(frame));
  }
}

void HBaseConnection::Flush() {
  constexpr size_t kWriteBytes = 256u << 10;
  if (writing_ || broken_ || output_.empty()) return;
  sending_ = std::move(output_.front());
  output_.pop_front();
  while (!output_.empty() && sending_.size() + output_.front().size() <= kWriteBytes) {
    sending_ += output_.front();
    output_.pop_front();
  }
  writing_ = true;
  written_ = Clock::now();
  asio::async_write(
      stream_, asio::buffer(sending_),
      [self = Self()](const boost::system::error_code& code, size_t) -> size_t {
        self->written_ = Clock::now();
        return code ? 0 : kWriteBytes;
      },
      [self = Self()](const boost::system::error_code& code, size_t) {
        self->writing_ = false;
        self->memory_.Remove(self->sending_.size());
        self->sending_ = Bytes();
        if (code) self->Abort();
        self->RunStep([&] { self->Flush(); });
        self->changed_.cancel();
      });
}

void HBaseConnection::Stop() {
  stopping_ = true;
  // The shutdown ends the read that is waiting. The running requests are answered before the connection ends.
  boost::system::error_code ignored;
  stream_.socket().shutdown(asio::socket_base::shutdown_receive, ignored);
  changed_.cancel();
}

void HBaseConnection::Abort() {
  broken_ = true;
  for (const Bytes& frame : output_) memory_.Remove(frame.size());
  output_.clear();
  boost::system::error_code ignored;
  stream_.socket().close(ignored);
  changed_.cancel();
}

void HBaseConnection::CheckTime(Clock::time_point now) {
  const auto stall = std::chrono::milliseconds(context_.options.stall_ms);
  const bool handshake_stalled =
      opening_ && now - opened_ > std::chrono::milliseconds(context_.options.tls_handshake_ms);
  const bool lingered = closing_at_ && now > *closing_at_;
  if (handshake_stalled || lingered || (in_frame_ && now - frame_begun_ > stall) ||
      (writing_ && now - written_ > stall)) {
    Abort();
  }
}

}  // namespace widerow::hbase
