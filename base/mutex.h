// Abseil's Mutex and CondVar with its thread annotations (ABSL_GUARDED_BY and others; clang checks them with
// -Wthread-safety), and the lock that holds a mutex for a scope.
//
// Debug builds stop at a possible deadlock: Abseil remembers in which order mutexes were locked, and aborts when a
// thread locks two of them in the opposite order. Release builds do not pay for this.
//
// docs/internals/decisions/0016-abseil.md says why these names are not plain aliases of Abseil's.
#pragma once

#include <absl/base/config.h>
#include <absl/base/thread_annotations.h>
#include <absl/synchronization/mutex.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#define WR_GUARDED_BY(m) ABSL_GUARDED_BY(m)
#define WR_REQUIRES(...) ABSL_EXCLUSIVE_LOCKS_REQUIRED(__VA_ARGS__)
#define WR_EXCLUDES(...) ABSL_LOCKS_EXCLUDED(__VA_ARGS__)

namespace widerow {

#ifdef ABSL_HAVE_THREAD_SANITIZER

// With the thread sanitizer, Mutex is a std::mutex. The system's Abseil is compiled without the sanitizer. So the
// sanitizer would not see that absl::Mutex orders threads, and would report races on everything that an absl::Mutex
// guards.
class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  bool TryLock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) { return mutex_.try_lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

#else

using Mutex = absl::Mutex;

#ifdef NDEBUG
inline constexpr absl::OnDeadlockCycle kOnDeadlockCycle = absl::OnDeadlockCycle::kIgnore;
#else
inline constexpr absl::OnDeadlockCycle kOnDeadlockCycle = absl::OnDeadlockCycle::kAbort;
#endif
// By default, the system's Abseil detects deadlocks in every program. The initialization of this variable sets the mode
// of the process to kOnDeadlockCycle, before main().
inline const bool kDeadlockDetectionSet = (absl::SetMutexDeadlockDetectionMode(kOnDeadlockCycle), true);

#endif

// Holds a mutex while it exists.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition whose waits may have a time-out. Abseil's timed waits follow the wall clock: they last an hour longer if
// somebody sets that clock back by an hour. TimedCondVar follows the steady clock.
class TimedCondVar {
 public:
  // Releases `mutex`, waits, and holds `mutex` again on return. May return without a notification: call it in a loop.
  void Wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    Lockable lockable{mutex};
    condition_.wait(lockable);
  }
  // Like Wait, for at most `timeout_ms`.
  void WaitFor(Mutex& mutex, int64_t timeout_ms) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    Lockable lockable{mutex};
    condition_.wait_for(lockable, std::chrono::milliseconds(timeout_ms));
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  struct Lockable {
    Mutex& mutex;
    void lock() ABSL_NO_THREAD_SAFETY_ANALYSIS { mutex.Lock(); }
    void unlock() ABSL_NO_THREAD_SAFETY_ANALYSIS { mutex.Unlock(); }
  };

  std::condition_variable_any condition_;
};

#ifdef ABSL_HAVE_THREAD_SANITIZER

using CondVar = TimedCondVar;

#else

// A condition whose waits have no time-out.
class CondVar {
 public:
  // Releases `mutex`, waits, and holds `mutex` again on return. May return without a notification: call it in a loop.
  void Wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { condition_.Wait(&mutex); }
  void NotifyOne() { condition_.Signal(); }
  void NotifyAll() { condition_.SignalAll(); }

 private:
  absl::CondVar condition_;
};

#endif

}  // namespace widerow
