// The server's side of TLS on one connection, without the socket: bytes from the network come in, and bytes for the
// network come out. A session owns OpenSSL's SSL object and lets OpenSSL read and write memory only, so a handshake can
// run on a thread that has nothing to do with the socket. One thread at a time may use a session; it never blocks.
//
// An idle session keeps no buffers, neither its own nor OpenSSL's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "net/tls/peer_certificate.h"

struct ssl_st;
struct ssl_ctx_st;

namespace widerow {

// The results of a handshake.
struct TlsFacts {
  std::string protocol;  // "TLSv1.2" or "TLSv1.3".
  std::string cipher;    // OpenSSL's name of the cipher suite.
  std::optional<PeerCertificate> client;
};

class TlsSession {
 public:
  enum class State : uint8_t {
    kOpen,        // The session can go on without further bytes.
    kNeedsInput,  // The client must send more.
    kClosed,      // The client has said that it sends no more.
    kFailed,      // The client broke the protocol or was refused; failure() says why.
  };
  struct Decrypted {
    size_t bytes = 0;
    State state = State::kOpen;  // Has a meaning only if `bytes` is 0.
  };

  // Begins a session with the certificate and the rules of `context`. Throws std::bad_alloc.
  explicit TlsSession(ssl_ctx_st* context);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Lets the handshake fail if the client shows no certificate. Must be called before the handshake begins.
  void RequireCertificate();
  // Adds bytes that the client has sent for the handshake.
  void AddInput(ByteView received) { kept_.append(received); }
  // True if the input has a whole TLS record, so that Handshake() is worth a call.
  bool HasRecord() const;
  // Continues the handshake with the input. kOpen: it is done, and facts() is valid. In every state, output() may have
  // bytes that must be sent.
  State Handshake();

  // True if Decrypt has something to do although no further bytes have arrived.
  bool has_pending() const;
  // Decrypts at most `size` bytes to `to`: first the input that earlier calls have left, then `received`. `received`
  // and the bytes at `to` must not overlap.
  Decrypted Decrypt(ByteView received, char* to, size_t size);
  // Encrypts all of `plain` into output(). Returns false if the session has failed.
  bool Encrypt(ByteView plain);
  // Adds TLS's closing message (close_notify) to output().
  void Close();
  // The bytes to send next.
  Bytes& output() { return output_; }

  const TlsFacts& facts() const { return facts_; }
  // Returns OpenSSL's reason: "certificate verify failed: certificate has expired".
  const std::string& failure() const { return failure_; }

 private:
  friend struct MemoryBio;

  State StateAfter(int result);
  void Fail();

  ssl_st* ssl_ = nullptr;
  ByteView input_;  // Bytes of the caller that OpenSSL has not read yet; valid during a call only.
  Bytes kept_;      // Bytes that OpenSSL has not read yet, between calls.
  size_t kept_at_ = 0;
  Bytes output_;
  TlsFacts facts_;
  std::string failure_;
};

}  // namespace widerow
