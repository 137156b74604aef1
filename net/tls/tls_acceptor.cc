#include "net/tls/tls_acceptor.h"

#include <ctime>
#include <utility>

#include "base/text.h"

namespace widerow {

Result<std::unique_ptr<TlsAcceptor>> TlsAcceptor::Open(TlsOptions options, unsigned handshake_threads, Log log) {
  std::unique_ptr<TlsAcceptor> acceptor(new TlsAcceptor(std::move(options), handshake_threads, std::move(log)));
  WR_RETURN_IF_ERROR(acceptor->Reload());
  return acceptor;
}

Status TlsAcceptor::Reload() {
  WR_ASSIGN_OR_RETURN(TlsFiles files, ReadTlsFiles(options_, std::time(nullptr)));
  for (const std::string& warning : files.warnings) log_(warning);
  MutexLock lock(mutex_);
  files_ = std::move(files);
  return OkStatus();
}

std::unique_ptr<TlsSession> TlsAcceptor::NewSession() {
  std::shared_ptr<ssl_ctx_st> context;
  {
    MutexLock lock(mutex_);
    context = files_.context;
  }
  return std::make_unique<TlsSession>(context.get());
}

void TlsAcceptor::CountFailed(const std::string& client, const std::string& reason) {
  failed_.fetch_add(1, std::memory_order_relaxed);
  uint64_t unlogged = 0;
  {
    MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (logged_.time_since_epoch().count() != 0 && now - logged_ < std::chrono::seconds(1)) {
      ++unlogged_;
      return;
    }
    logged_ = now;
    unlogged = std::exchange(unlogged_, 0);
  }
  const std::string others = unlogged == 0 ? "" : StrCat(" (and ", unlogged, " others since the last such line)");
  log_(StrCat("TLS handshake with ", client, " failed: ", reason, others));
}

int64_t TlsAcceptor::certificate_ends() const {
  MutexLock lock(mutex_);
  return files_.certificate_ends;
}

}  // namespace widerow
