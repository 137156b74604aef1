// OpenSSL reads and writes through a BIO of our own (MemoryBio), whose reads come from input_ and whose writes are
// appended to output_. Handshake and Decrypt set input_ to the bytes in kept_, followed by the bytes just received.
// Bytes that OpenSSL has not read then stay in kept_ for the next call.
#include "net/tls/tls_session.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/check.h"

namespace widerow {

struct MemoryBio {
  static TlsSession& Of(BIO* bio) { return *static_cast<TlsSession*>(BIO_get_data(bio)); }

  static int Read(BIO* bio, char* to, size_t size, size_t* read) {
    BIO_clear_retry_flags(bio);
    ByteView& input = Of(bio).input_;
    if (input.empty()) {
      BIO_set_retry_read(bio);
      return 0;
    }
    *read = std::min(size, input.size());
    std::memcpy(to, input.data(), *read);
    input.remove_prefix(*read);
    return 1;
  }
  static int Write(BIO* bio, const char* data, size_t size, size_t* written) {
    BIO_clear_retry_flags(bio);
    try {
      Of(bio).output_.append(data, size);
    } catch (const std::bad_alloc&) { return 0; }  // OpenSSL is C, so no exception may pass through it.
    *written = size;
    return 1;
  }
  static long Control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static BIO_METHOD* Method() {
    static BIO_METHOD* const method = [] {
      BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "widerow memory");
      WR_CHECK(made != nullptr);
      BIO_meth_set_read_ex(made, Read);
      BIO_meth_set_write_ex(made, Write);
      BIO_meth_set_ctrl(made, Control);
      return made;
    }();
    return method;
  }
};

TlsSession::TlsSession(ssl_ctx_st* context) : ssl_(SSL_new(context)) {
  BIO* const bio = ssl_ == nullptr ? nullptr : BIO_new(MemoryBio::Method());
  if (bio == nullptr) {
    SSL_free(ssl_);
    throw std::bad_alloc();
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  SSL_set_accept_state(ssl_);
}

TlsSession::~TlsSession() { SSL_free(ssl_); }

void TlsSession::RequireCertificate() {
  SSL_set_verify(ssl_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, SSL_get_verify_callback(ssl_));
}

bool TlsSession::HasRecord() const {
  constexpr size_t kHeaderBytes = 5;
  const ByteView rest = ByteView(kept_).substr(kept_at_);
  return rest.size() >= kHeaderBytes && rest.size() - kHeaderBytes >= ReadBigEndian<uint16_t>(rest.data() + 3);
}

void TlsSession::Fail() {
  const unsigned long error = ERR_peek_last_error();
  const char* const reason = ERR_reason_error_string(error);
  failure_ = reason != nullptr ? reason : "protocol error";
  if (ERR_GET_REASON(error) == SSL_R_CERTIFICATE_VERIFY_FAILED) {
    failure_ += ": ";
    failure_ += X509_verify_cert_error_string(SSL_get_verify_result(ssl_));
  }
  ERR_clear_error();
}

TlsSession::State TlsSession::StateAfter(int result) {
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_NONE: return State::kOpen;
    case SSL_ERROR_WANT_READ: return State::kNeedsInput;
    case SSL_ERROR_ZERO_RETURN: return State::kClosed;
    default: Fail(); return State::kFailed;
  }
}

TlsSession::State TlsSession::Handshake() {
  ERR_clear_error();
  input_ = ByteView(kept_).substr(kept_at_);
  const State state = StateAfter(SSL_do_handshake(ssl_));
  kept_at_ = kept_.size() - std::exchange(input_, {}).size();
  if (kept_at_ == kept_.size()) {
    Bytes().swap(kept_);
    kept_at_ = 0;
  }
  if (state != State::kOpen) return state == State::kClosed ? State::kFailed : state;
  facts_.protocol = SSL_get_version(ssl_);
  facts_.cipher = SSL_get_cipher_name(ssl_);
  if (const X509* const certificate = SSL_get0_peer_certificate(ssl_); certificate != nullptr) {
    facts_.client = ReadPeerCertificate(certificate);
  }
  return state;
}

bool TlsSession::has_pending() const { return kept_at_ < kept_.size() || SSL_has_pending(ssl_) != 0; }

TlsSession::Decrypted TlsSession::Decrypt(ByteView received, char* to, size_t size) {
  ERR_clear_error();
  Decrypted done;
  // There are bytes in kept_ in two cases: the last call filled all bytes at `to`, or the client sent further bytes
  // together with its last message of the handshake.
  if (kept_at_ < kept_.size()) {
    kept_.append(received);
    received = ByteView(kept_).substr(kept_at_);
  }
  input_ = received;
  while (done.bytes < size) {
    size_t bytes = 0;
    const int result = SSL_read_ex(ssl_, to + done.bytes, size - done.bytes, &bytes);
    if (result <= 0) {
      done.state = StateAfter(result);
      break;
    }
    done.bytes += bytes;
  }
  const ByteView rest = std::exchange(input_, {});
  if (rest.empty()) {
    Bytes().swap(kept_);
    kept_at_ = 0;
  } else if (kept_.empty()) {
    kept_ = rest;
  } else {
    kept_at_ = kept_.size() - rest.size();
  }
  return done;
}

bool TlsSession::Encrypt(ByteView plain) {
  ERR_clear_error();
  size_t written = 0;
  if (plain.empty() || SSL_write_ex(ssl_, plain.data(), plain.size(), &written) > 0) return true;
  Fail();
  return false;
}

void TlsSession::Close() {
  ERR_clear_error();
  if (failure_.empty() && SSL_is_init_finished(ssl_)) SSL_shutdown(ssl_);
  ERR_clear_error();
}

}  // namespace widerow
