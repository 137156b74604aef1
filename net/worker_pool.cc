#include "net/worker_pool.h"

#include <system_error>

#include "base/short_turns.h"

namespace widerow {

void WorkerPool::Submit(std::unique_ptr<Task> task) {
  {
    MutexLock lock(mutex_);
    if (stopping_) return;
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < threads_max_) {
      try {
        threads_.emplace_back([this] { Work(); });
      } catch (const std::system_error&) {
        // The system refuses more threads. The running threads suffice, if any run.
        if (threads_.empty()) {
          tasks_.pop_back();
          throw;
        }
      }
    }
  }
  ready_.NotifyOne();  // After unlocking: the thread that wakes up needs the mutex at once.
}

void WorkerPool::Work() {
  AskForShortTurns();
  for (;;) {
    std::unique_ptr<Task> task;
    {
      MutexLock lock(mutex_);
      ++idle_;
      while (tasks_.empty() && !stopping_) ready_.Wait(mutex_);
      --idle_;
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    try {
      task->Run();
    } catch (const std::exception&) {  // Out of memory. The task's destructor tells those who wait for the task.
    }
  }
}

void WorkerPool::Stop() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
    ready_.NotifyAll();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace widerow
