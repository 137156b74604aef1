// std::mutex with Clang's thread-safety annotations (-Wthread-safety), modelled on LevelDB's port/port_stdcxx.h.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WR_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define WR_THREAD_ANNOTATION(x)
#endif
#define WR_GUARDED_BY(m) WR_THREAD_ANNOTATION(guarded_by(m))
#define WR_REQUIRES(...) WR_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define WR_EXCLUDES(...) WR_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace widerow {

class WR_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() WR_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() WR_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class WR_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) WR_THREAD_ANNOTATION(acquire_capability(mutex)) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() WR_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  // Releases `mutex`, waits, and holds `mutex` again on return. May return without a notification: call it in a loop.
  void Wait(Mutex& mutex) WR_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // Like Wait, for at most `timeout_ms`. Returns false on time-out.
  bool WaitFor(Mutex& mutex, int64_t timeout_ms) WR_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool woken = condition_.wait_for(lock, std::chrono::milliseconds(timeout_ms)) == std::cv_status::no_timeout;
    lock.release();
    return woken;
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace widerow
