// Open looks at the first byte without taking it. A TLS handshake begins with the byte 0x16. A frame of the native
// protocol begins with the protocol's version. HTTP and HBase's protocol begin with a letter.
#include "net/client_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "exec/access/login_limits.h"
#include "net/endpoint.h"

namespace widerow {

namespace {

namespace asio = boost::asio;

constexpr auto kInTuple = asio::as_tuple(asio::use_awaitable);
constexpr char kTlsHandshake = 0x16;
constexpr size_t kHandshakeReadBytes = 4u << 10;

}  // namespace

// The connection's thread waits here until another thread has computed a part of a handshake and has set `state`.
struct ClientStream::HandshakeWait {
  explicit HandshakeWait(const asio::any_io_executor& executor)
      : done(executor, asio::steady_timer::time_point::max()) {}
  asio::steady_timer done;
  std::optional<TlsSession::State> state;
};

asio::awaitable<ClientStream::Opened> ClientStream::Open(std::shared_ptr<void> connection) {
  if (policy_.security == PortSecurity::kPlain) co_return Opened::kReady;
  char first = 0;
  const auto [code, bytes] =
      co_await socket_.async_receive(asio::buffer(&first, 1), asio::socket_base::message_peek, kInTuple);
  if (code || bytes == 0) co_return Opened::kFailed;
  if (first != kTlsHandshake) {
    co_return policy_.security == PortSecurity::kTls ? Opened::kNotEncrypted : Opened::kReady;
  }
  tls_ = policy_.tls->NewSession();
  if (policy_.certificate_required) tls_->RequireCertificate();
  co_return co_await Shake(std::move(connection)) ? Opened::kReady : Opened::kFailed;
}

asio::awaitable<bool> ClientStream::Shake(std::shared_ptr<void> connection) {
  std::array<char, kHandshakeReadBytes> buffer;
  boost::system::error_code ignored;
  const auto client = socket_.remote_endpoint(ignored);
  for (;;) {
    const auto [code, bytes] = co_await socket_.async_read_some(asio::buffer(buffer), kInTuple);
    if (code) {
      policy_.tls->CountFailed(HostPort(client), "the client closed the connection, or took too long");
      co_return false;
    }
    tls_->AddInput({buffer.data(), bytes});
    if (!tls_->HasRecord()) continue;
    const TlsSession::State state = co_await ContinueHandshake(connection);
    if (!tls_->output().empty()) {
      const Bytes output = std::exchange(tls_->output(), {});
      const auto [failure, sent] = co_await asio::async_write(socket_, asio::buffer(output), kInTuple);
      if (failure && state != TlsSession::State::kFailed) co_return false;
    }
    if (state == TlsSession::State::kFailed) {
      policy_.tls->CountFailed(HostPort(client), tls_->failure());
      co_return false;
    }
    if (state == TlsSession::State::kOpen) break;
  }
  policy_.tls->CountDone();
  co_return true;
}

asio::awaitable<TlsSession::State> ClientStream::ContinueHandshake(const std::shared_ptr<void>& connection) {
  const auto wait = std::make_shared<HandshakeWait>(socket_.get_executor());
  const Bytes client = FailedLogins::KeyOf(FactsOf(socket_, std::nullopt)->client_address);
  policy_.tls->handshakes().Run(client, [held = wait, connection, session = tls_.get()]() mutable {
    const TlsSession::State state = session->Handshake();
    // This function owns `held` and `connection` until it posts them to the connection's thread. So they are destroyed
    // on that thread.
    const asio::any_io_executor executor = held->done.get_executor();
    asio::post(executor, [held = std::move(held), connection = std::move(connection), state] {
      held->state = state;
      held->done.cancel();
    });
  });
  while (!wait->state) co_await wait->done.async_wait(kInTuple);
  co_return *wait->state;
}

char* ClientStream::Scratch() {
  static thread_local const auto scratch = std::make_unique<char[]>(kScratchBytes);
  return scratch.get();
}

boost::system::error_code ClientStream::FailedCode() { return asio::error::connection_aborted; }

size_t ClientStream::EncryptPlain(ByteView plain) {
  failed_ = failed_ || !tls_->Encrypt(plain);
  if (failed_) return 0;
  sending_ = std::exchange(tls_->output(), {});
  return plain.size();
}

bool ClientStream::Decrypt(size_t received, const asio::mutable_buffer& to, size_t& bytes,
                           boost::system::error_code& code) {
  if (to.size() == 0) return true;
  if (received == 0 && !tls_->has_pending()) return false;
  char* const plain = static_cast<char*>(to.data());
  TlsSession::Decrypted done;
  if (received <= kScratchBytes) {
    std::memcpy(Scratch(), plain, received);
    done = tls_->Decrypt({Scratch(), received}, plain, to.size());
  } else {
    const Bytes encrypted(plain, received);
    done = tls_->Decrypt(encrypted, plain, to.size());
  }
  bytes = done.bytes;
  if (done.bytes > 0) return true;
  if (done.state == TlsSession::State::kClosed) {
    code = asio::error::eof;
  } else if (done.state == TlsSession::State::kFailed) {
    failed_ = true;
    code = FailedCode();
    TrySendOutput();
  }
  return static_cast<bool>(code);
}

void ClientStream::TrySendOutput() {
  if (!sending_.empty() || tls_->output().empty()) return;
  const Bytes output = std::exchange(tls_->output(), {});
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.write_some(asio::buffer(output), ignored);
}

void ClientStream::ShutdownSend() {
  if (tls_ != nullptr && !failed_) {
    tls_->Close();
    TrySendOutput();
  }
  boost::system::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

}  // namespace widerow
