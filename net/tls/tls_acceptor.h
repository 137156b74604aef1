// A TlsAcceptor has everything that the ports of a process need for TLS: the current certificate with its key, the
// threads that compute handshakes, and the numbers of handshakes. Reload replaces the certificate for later
// connections; open connections keep the old one. Thread-safe. It must outlive the servers that use it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "net/tls/handshake_pool.h"
#include "net/tls/tls_files.h"
#include "net/tls/tls_session.h"

namespace widerow {

class TlsAcceptor {
 public:
  using Log = std::function<void(const std::string&)>;

  // Reads the files that `options` names. `log` gets warnings about these files, and later the reasons of some failed
  // handshakes. Any thread may call `log`.
  static Result<std::unique_ptr<TlsAcceptor>> Open(TlsOptions options, unsigned handshake_threads, Log log);

  // Reads the files again. After an error, everything stays as it was.
  Status Reload() WR_EXCLUDES(mutex_);
  // Begins the session of a new connection.
  std::unique_ptr<TlsSession> NewSession() WR_EXCLUDES(mutex_);
  HandshakePool& handshakes() { return handshakes_; }

  void CountDone() { done_.fetch_add(1, std::memory_order_relaxed); }
  // Counts a failed handshake, and logs its reason unless another was logged less than a second ago. `client` is the
  // client's address as text.
  void CountFailed(const std::string& client, const std::string& reason) WR_EXCLUDES(mutex_);

  uint64_t handshakes_done() const { return done_.load(std::memory_order_relaxed); }
  uint64_t handshakes_failed() const { return failed_.load(std::memory_order_relaxed); }
  // Returns when the current certificate expires, in seconds of Unix time.
  int64_t certificate_ends() const WR_EXCLUDES(mutex_);

 private:
  TlsAcceptor(TlsOptions options, unsigned handshake_threads, Log log)
      : options_(std::move(options)), log_(std::move(log)), handshakes_(handshake_threads) {}

  const TlsOptions options_;
  const Log log_;
  std::atomic<uint64_t> done_{0}, failed_{0};
  mutable Mutex mutex_;
  TlsFiles files_ WR_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point logged_ WR_GUARDED_BY(mutex_);
  uint64_t unlogged_ WR_GUARDED_BY(mutex_) = 0;  // Failures after the last one that was logged.
  HandshakePool handshakes_;
};

}  // namespace widerow
