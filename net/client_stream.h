// A client's connection as a stream of plain bytes, with or without TLS below. It fulfills Asio's and Beast's
// requirements of AsyncReadStream and AsyncWriteStream. Without TLS, a read or write costs one branch more than the
// same call on the bare socket. Only the connection's I/O thread uses a stream; handshakes are computed elsewhere
// (net/tls/handshake_pool.h).
//
// At most one read and one write may run at a time.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <utility>

#include "net/tls/tls_acceptor.h"
#include "net/tls/tls_session.h"

namespace widerow {

// The rules of a port for its connections.
struct PortPolicy {
  PortSecurity security = PortSecurity::kPlain;
  TlsAcceptor* tls = nullptr;  // Required unless `security` is kPlain.
  // With TLS, clients without a certificate are refused, even if TlsOptions lets them in. Needs TlsOptions::ca_file.
  bool certificate_required = false;
};

class ClientStream {
 public:
  using executor_type = boost::asio::ip::tcp::socket::executor_type;
  enum class Opened : uint8_t {
    kReady,         // The stream has no TLS, or the handshake is done.
    kNotEncrypted,  // The client speaks without TLS at a port that requires it. The stream is usable, without TLS.
    kFailed,        // The client is gone, or the handshake failed.
  };

  ClientStream(boost::asio::ip::tcp::socket socket, const PortPolicy& policy)
      : socket_(std::move(socket)), policy_(policy) {}
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  // Must be called once before the first read or write. Finds out whether the client speaks TLS, and shakes hands.
  // `connection` is kept alive while a handshake is computed on another thread. The owner of the stream must bound the
  // time by closing the socket.
  boost::asio::awaitable<Opened> Open(std::shared_ptr<void> connection);

  boost::asio::ip::tcp::socket& socket() { return socket_; }
  const boost::asio::ip::tcp::socket& socket() const { return socket_; }
  executor_type get_executor() { return socket_.get_executor(); }
  // Returns the results of the handshake; null without TLS.
  const TlsFacts* tls() const { return tls_ == nullptr ? nullptr : &tls_->facts(); }
  // Tells the client that no more bytes come.
  void ShutdownSend();

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, size_t)>(
        [this](auto handler, const Buffers& to) {
          if (tls_ == nullptr) return void(socket_.async_read_some(to, std::move(handler)));
          boost::asio::async_compose<decltype(handler), void(boost::system::error_code, size_t)>(
              ReadOperation{*this, FirstOf(to)}, handler, socket_);
        },
        token, buffers);
  }

  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, size_t)>(
        [this](auto handler, const Buffers& from) {
          if (tls_ == nullptr) return void(socket_.async_write_some(from, std::move(handler)));
          const size_t bytes = Encrypt(from);
          boost::asio::async_compose<decltype(handler), void(boost::system::error_code, size_t)>(
              WriteOperation{*this, bytes}, handler, socket_);
        },
        token, buffers);
  }

 private:
  static constexpr size_t kScratchBytes = 64u << 10;

  struct HandshakeWait;

  // Reads encrypted bytes into the caller's buffer `to` and decrypts them there. So the stream of an idle connection
  // needs no buffer.
  struct ReadOperation {
    ClientStream& stream;
    boost::asio::mutable_buffer to;
    bool in_initiation = true;

    template <typename Self>
    void operator()(Self& self, boost::system::error_code code = {}, size_t received = 0) {
      const bool was_initiation = std::exchange(in_initiation, false);
      size_t bytes = 0;
      if (!code && !stream.Decrypt(received, to, bytes, code)) {
        return stream.socket_.async_read_some(to, std::move(self));
      }
      if (!was_initiation) return self.complete(code, bytes);
      // An operation must not complete before the function that began it has returned.
      stream.PostCompletion(std::move(self), code, bytes);
    }
    // PostCompletion calls this function with the result of the read.
    template <typename Self>
    void operator()(Self& self, std::pair<boost::system::error_code, size_t> result) {
      self.complete(result.first, result.second);
    }
  };

  // Sends sending_, which is the encrypted form of `bytes` plain bytes.
  struct WriteOperation {
    ClientStream& stream;
    const size_t bytes;
    size_t sent = 0;
    bool in_initiation = true;

    template <typename Self>
    void operator()(Self& self, boost::system::error_code code = {}, size_t more = 0) {
      const bool was_initiation = std::exchange(in_initiation, false);
      sent += more;
      if (!code && sent < stream.sending_.size()) {
        return stream.socket_.async_write_some(
            boost::asio::buffer(stream.sending_.data() + sent, stream.sending_.size() - sent), std::move(self));
      }
      Bytes().swap(stream.sending_);
      const size_t done = code ? 0 : bytes;
      if (!was_initiation) return self.complete(code, done);
      // Nothing was encrypted: the buffers are empty, or the session has failed.
      stream.PostCompletion(std::move(self), stream.failed_ ? FailedCode() : code, done);
    }
    template <typename Self>
    void operator()(Self& self, std::pair<boost::system::error_code, size_t> result) {
      self.complete(result.first, result.second);
    }
  };

  template <typename Self>
  void PostCompletion(Self&& self, boost::system::error_code code, size_t bytes) {
    boost::asio::post(socket_.get_executor(), [self = std::move(self), code, bytes]() mutable {
      self(std::pair<boost::system::error_code, size_t>(code, bytes));
    });
  }
  template <typename Buffers>
  static boost::asio::mutable_buffer FirstOf(const Buffers& buffers) {
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != boost::asio::buffer_sequence_end(buffers); ++at) {
      if (const boost::asio::mutable_buffer buffer(*at); buffer.size() > 0) return buffer;
    }
    return {};
  }
  // Encrypts the first bytes of the buffers into sending_. Returns the number of bytes that it has encrypted.
  template <typename Buffers>
  size_t Encrypt(const Buffers& buffers) {
    const boost::asio::const_buffer first(*boost::asio::buffer_sequence_begin(buffers));
    if (first.size() >= kScratchBytes / 4) {
      return EncryptPlain({static_cast<const char*>(first.data()), std::min(first.size(), kScratchBytes)});
    }
    // Small buffers are copied together, so that they become one TLS record.
    char* const scratch = Scratch();
    const size_t bytes = boost::asio::buffer_copy(boost::asio::buffer(scratch, kScratchBytes), buffers);
    return EncryptPlain({scratch, bytes});
  }
  size_t EncryptPlain(ByteView plain);
  // Decrypts the bytes that have arrived: first those that earlier calls have left, then the `received` new ones, which
  // are in `to`. Writes the result to `to`. Returns false if more bytes must be read first.
  bool Decrypt(size_t received, const boost::asio::mutable_buffer& to, size_t& bytes, boost::system::error_code& code);
  // Sends the session's own messages, which are not data, if the socket takes them at once.
  void TrySendOutput();
  static boost::system::error_code FailedCode();
  static char* Scratch();  // Returns this thread's buffer of kScratchBytes bytes.

  boost::asio::awaitable<bool> Shake(std::shared_ptr<void> connection);
  // Lets the handshake pool continue the handshake.
  boost::asio::awaitable<TlsSession::State> ContinueHandshake(const std::shared_ptr<void>& connection);

  boost::asio::ip::tcp::socket socket_;
  const PortPolicy policy_;
  std::unique_ptr<TlsSession> tls_;  // Null without TLS.
  Bytes sending_;                    // Encrypted bytes of the running write.
  bool failed_ = false;
};

}  // namespace widerow
