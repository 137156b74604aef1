#include "server/signals.h"

#include <pthread.h>

namespace widerow {

namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

sigset_t AllSignals() {
  sigset_t signals = StopSignals();
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

Signals::Signals() {
  const sigset_t signals = AllSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int Signals::WaitForStop() const {
  const sigset_t signals = AllSignals();
  while (true) {
    int received = 0;
    sigwait(&signals, &received);
    if (received != SIGHUP) return received;
    for (const std::function<void()>& reload : reloads_) reload();
  }
}

void Signals::LetSignalsKill() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace widerow
