// The queue in front of the one thread that writes: what has gathered while a group was being synced is the next one.
#pragma once

#include <atomic>
#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/folder.h"
#include "storage/group_writer.h"
#include "storage/write_waits.h"

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
  // Runs `job` between two groups, before whatever is queued, and waits for it. It waits for no fold, even where writes do.
  Status Run(std::function<Status(GroupWriter&)> job);
  // The same without waiting. Not run any more once the thread is being stopped.
  void Post(std::function<void(GroupWriter&)> job);
  // Fills in what concerns writes and the queue.
  void Describe(StorageStatistics& out);

 private:
  using Clock = WriteWaits::Clock;

  struct Pending {
    QueuedWrite write;
    std::function<void(Status)> done;
    size_t bytes = 0;
    Clock::time_point queued = Clock::now();
    Clock::duration paused_before = {};  // How long the writer had paused until then.
  };
  struct Job {
    std::function<Status(GroupWriter&)> run;
    std::function<void(Status)> done;
  };

  // Takes `pending`, or says why it cannot be queued and leaves it alone.
  Status Enqueue(Pending& pending);
  void Loop();
  // Takes the next group of writes, which is empty if jobs come first. False: stopping, and nothing is left.
  bool TakeGroup(std::vector<Pending>& group);
  void RunJobs();
  void Commit(std::vector<Pending>& group);
  // The group was taken at `taken`, when the writer had paused for paused_before_take_, and had room at `begun`.
  void CountWaits(const std::vector<Pending>& group, Clock::time_point taken, Clock::time_point begun);
  // Freezes a full memtable; waits for the fold of the one before it, running jobs meanwhile. Fails if that cannot be folded.
  Status MakeRoom();
  // Writes that outrun the fold are slowed down to its pace before they have to wait for its end. `growth`: bytes that the last
  // group has put into the memtable.
  void KeepPace(size_t growth);
  // What the memtable being written may have now, with `folding` bytes in the other one: both together have
  // 2 * memtable_bytes.
  size_t MemtableLimit(size_t folding) const;
  // A fold of `folded` bytes has ended, while which the memtable grew to `grown`; where that had to be slowed down, nobody
  // knows to how many it would have.
  void LearnFrom(size_t folded, size_t grown, bool slowed);
  // Sleeps, but for jobs.
  void Pause(Clock::duration time);

  const Options options_;
  const std::unique_ptr<GroupWriter> writer_;  // Used by thread_ alone.
  Folder& folder_;
  WriteWaits waits_;
  std::atomic<uint64_t> groups_{0};
  // The thread's own.
  Clock::duration paused_before_take_ = {};
  // A memtable is frozen at so many bytes. The larger, the fewer pages are written in all; but the smaller is the next one's
  // room while it is folded, so it depends on how much comes during a fold.
  size_t freeze_bytes_;
  struct {
    size_t folded = 0, grown = 0;
    bool slowed = false;
  } fold_seen_;  // Of the fold under way; folded is 0 if there is none.

  Mutex mutex_;
  CondVar wake_;
  std::deque<Pending> queue_ WR_GUARDED_BY(mutex_);
  std::deque<Job> jobs_ WR_GUARDED_BY(mutex_);
  std::atomic<bool> has_jobs_{false};  // As jobs_ says; for those who wait for something else.
  size_t queued_bytes_ WR_GUARDED_BY(mutex_) = 0;
  PauseClock pauses_ WR_GUARDED_BY(mutex_);
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // Last: joined before anything it uses is destroyed.
};

}  // namespace widerow
