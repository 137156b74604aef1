// The queue in front of the one thread that writes: what has gathered while a group was being synced is the next one.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/folder.h"
#include "storage/group_writer.h"

namespace widerow {

class WriterThread {  // Any thread may Submit() and Run(); only the thread itself touches the GroupWriter.
 public:
  struct Options {
    size_t pending_writes_max = 65'536;
    size_t memtable_bytes = 64u << 20;
  };

  WriterThread(std::unique_ptr<GroupWriter> writer, Folder& folder, Options options);
  // Finishes everything queued.
  ~WriterThread();

  void Submit(QueuedWrite write, std::function<void(Status)> done);
  // Runs `job` between two groups, after everything queued before it, and waits for it.
  Status Run(std::function<Status(GroupWriter&)> job);

 private:
  struct Pending {
    QueuedWrite write;
    std::function<Status(GroupWriter&)> job;  // Instead of a write.
    std::function<void(Status)> done;
    size_t bytes = 0;
  };

  // Takes `pending`, or says why it cannot be queued and leaves it alone.
  Status Enqueue(Pending& pending);
  void Loop();
  // Takes the next job, or the next group of writes. Empty: stopping.
  std::vector<Pending> TakeGroup();
  void Commit(std::vector<Pending>& group);
  // Freezes a full memtable; waits for the fold of the one before it. Fails if that cannot be folded.
  Status MakeRoom();
  // Writes that outrun the fold are slowed down to its pace before they have to wait for its end. `growth`: bytes that the last
  // group has put into the memtable.
  void KeepPace(size_t growth);

  const Options options_;
  const std::unique_ptr<GroupWriter> writer_;  // Used by thread_ alone.
  Folder& folder_;

  Mutex mutex_;
  CondVar wake_;
  std::deque<Pending> queue_ WR_GUARDED_BY(mutex_);
  size_t queued_bytes_ WR_GUARDED_BY(mutex_) = 0;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
