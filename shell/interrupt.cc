#include "shell/interrupt.h"

#include <pthread.h>

#include <atomic>
#include <csignal>

namespace widerow {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // A signal handler writes it.

void OnInterrupt(int) { interrupted.store(true); }

sigset_t InterruptOnly() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool Interrupted() { return interrupted.load(); }
void ClearInterrupt() { interrupted.store(false); }
void RaiseInterrupt() { interrupted.store(true); }

InterruptsBlocked::InterruptsBlocked() {
  const sigset_t set = InterruptOnly();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  was_blocked_ = sigismember(&before, SIGINT) == 1;
}

InterruptsBlocked::~InterruptsBlocked() {
  const sigset_t set = InterruptOnly();
  if (!was_blocked_) pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace widerow
