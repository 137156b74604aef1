// Threads that run requests, so that a slow request delays no other client. If no thread is idle, Submit starts
// one, up to a maximum number of threads. If all of these are busy, tasks wait in a queue. Thread-safe.
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace widerow {

class WorkerPool {
 public:
  struct Task {
    virtual ~Task() = default;
    // A task that throws, for lack of memory, is destroyed as if it had returned.
    virtual void Run() = 0;
  };

  explicit WorkerPool(size_t threads_max) : threads_max_(threads_max) {}
  ~WorkerPool() { Stop(); }

  // Queues the task. After Stop, the task is dropped without being run. Throws std::system_error, and drops the task,
  // if the system allows no thread at all.
  void Submit(std::unique_ptr<Task> task) WR_EXCLUDES(mutex_);
  // Waits until all submitted tasks have run, then joins the threads.
  void Stop() WR_EXCLUDES(mutex_);

 private:
  void Work() WR_EXCLUDES(mutex_);

  const size_t threads_max_;
  Mutex mutex_;
  CondVar ready_;
  std::deque<std::unique_ptr<Task>> tasks_ WR_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ WR_GUARDED_BY(mutex_);
  size_t idle_ WR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
};

}  // namespace widerow
