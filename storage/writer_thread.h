// The queue in front of the one thread that writes: what has gathered while a commit was under way is the next group.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/store_writer.h"

namespace widerow {

class WriterThread {  // Any thread may Submit() and Run(); only the thread itself touches the StoreWriter.
 public:
  struct Options {
    size_t pending_writes_max = 65'536;
    bool background_sweep = true;
    std::function<void(const std::string&)> log;
  };

  WriterThread(std::unique_ptr<StoreWriter> writer, Options options);
  // Finishes everything queued.
  ~WriterThread();

  void Submit(Write write, std::function<void(Status)> done);
  // Runs `job` between two groups, after everything queued before it, and waits for it.
  Status Run(std::function<Status(StoreWriter&)> job);

 private:
  struct Pending {
    Write write;
    std::function<Status(StoreWriter&)> job;  // Instead of a write.
    std::function<void(Status)> done;
    size_t bytes = 0;
  };

  // Why it cannot be queued, or success once it is.
  Status Enqueue(Pending pending);
  void Loop();
  // Takes the next job, or the next group of writes. Empty: stopping, or time to sweep.
  std::vector<Pending> TakeGroup(bool sweep_is_due);
  void Commit(std::vector<Pending>& group);
  // True if there is more to do.
  bool Sweep();

  const Options options_;
  const std::unique_ptr<StoreWriter> writer_;  // Used by thread_ alone.

  Mutex mutex_;
  CondVar wake_;
  std::deque<Pending> queue_ WR_GUARDED_BY(mutex_);
  size_t queued_bytes_ WR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
