// The queue of writes, and the one thread that applies them. Writes that arrive while a group is being synced form the
// next group. The engine owns it.
#pragma once

#include <atomic>
#include <deque>
#include <span>
#include <thread>

#include "base/mutex.h"
#include "storage/count/write_waits.h"
#include "storage/fold/folder.h"
#include "storage/write/group_writer.h"

namespace widerow {

// Any thread may call the public functions. Only the writer's thread uses the GroupWriter.
class WriterThread {
 public:
  struct Options {
    size_t pending_writes_max = 65'536;
    size_t memtable_bytes = 64u << 20;
  };

  WriterThread(std::unique_ptr<GroupWriter> writer, Folder& folder, Options options);
  // Applies everything that is queued.
  ~WriterThread();

  // Queues `write`. `done` is called on the writer's thread with the outcome. If the write cannot be queued, `done` is
  // called at once on the calling thread: with kOverloaded if the queue is full, with kServerError if the database is
  // being closed.
  void Submit(QueuedWrite write, std::function<void(Status)> done);
  // Runs `job` on the writer's thread and waits for its end. The job runs between two groups, before all queued writes.
  // It runs even while writes wait for a fold.
  Status Run(std::function<Status(GroupWriter&)> job);
  // Runs `job` as Run() does, but does not wait for it. Does nothing if the thread is being stopped.
  void Post(std::function<void(GroupWriter&)> job);
  // Says when and why a group of writes was refused because the memtables or the disk had no room.
  struct Refusal {
    Error error;
    std::chrono::steady_clock::time_point at;
  };
  // Returns the refusal of the last group; nullopt if it was accepted.
  std::optional<Refusal> refusal();
  // Sets the fields of `out` about writes and the queue.
  void Describe(StorageStatistics& out);

 private:
  using Clock = WriteWaits::Clock;

  struct Pending {
    QueuedWrite write;
    std::function<void(Status)> done;
    size_t bytes = 0;
    Clock::time_point queued = Clock::now();
    Clock::duration paused_before = {};  // The sum of the writer's pauses before `queued`.
  };
  struct Job {
    std::function<Status(GroupWriter&)> run;
    std::function<void(Status)> done;
  };

  // Moves `pending` into the queue. On an error `pending` is unchanged.
  Status Enqueue(Pending& pending);
  void Loop();
  // Takes the next group of writes. The group is empty if jobs have to run first. Returns false if the thread is being
  // stopped and nothing is left.
  bool TakeGroup(std::vector<Pending>& group);
  void RunJobs();
  // Applies the writes and calls their callbacks. A group that adds much to the memtable is applied in several parts,
  // between which the memtable may be frozen.
  void Commit(std::span<Pending> group);
  void NoteRefusal(const std::optional<Error>& error);
  // Adds the waits of the group's writes to waits_. `taken` is the time when the group was taken from the queue; until
  // then the writer had paused for paused_before_take_. `begun` is the time when the memtable had room for the group.
  void CountWaits(std::span<const Pending> group, Clock::time_point taken, Clock::time_point begun);
  // Freezes the active memtable if it is full. If another memtable is still being folded, waits for that fold and runs
  // jobs meanwhile. Fails if the fold fails.
  Status MakeRoom();
  // Pauses if writes are faster than the fold, so that later writes need not wait for the end of the fold. `growth` is
  // the number of bytes that the last group has added to the memtable.
  void KeepPace(size_t growth);
  // Returns the size up to which the active memtable may grow while a memtable of `folding` bytes is being folded;
  // `folding` is 0 if there is no fold. Both memtables together may have 2 * memtable_bytes.
  size_t MemtableLimit(size_t folding) const;
  // Sets freeze_bytes_ after a fold of `folded` bytes. The active memtable has grown to `grown` bytes meanwhile. If
  // `slowed` is set, the writer has paused, so `grown` does not show how much would have been written.
  void LearnFrom(size_t folded, size_t grown, bool slowed);
  // Sleeps for `time`, and runs jobs meanwhile.
  void Pause(Clock::duration time);

  const Options options_;
  const std::unique_ptr<GroupWriter> writer_;  // Only thread_ uses it.
  Folder& folder_;
  WriteWaits waits_;
  std::atomic<uint64_t> groups_{0};
  // Only thread_ uses the following members, up to mutex_.
  Clock::duration paused_before_take_ = {};
  bool refused_ = false;  // True if refusal_ is set.
  // A memtable is frozen when it has this size. With a larger size folds write fewer pages in all, but the next
  // memtable has less room during the fold. So the size depends on how much is written during a fold.
  size_t freeze_bytes_;
  struct {
    uint64_t fold = 0;  // The number of the fold; 0 if there is none.
    size_t folded = 0, grown = 0;
    bool slowed = false;
  } fold_seen_;  // Describes the fold that is running.

  Mutex mutex_;
  CondVar wake_;
  std::deque<Pending> queue_ WR_GUARDED_BY(mutex_);
  std::deque<Job> jobs_ WR_GUARDED_BY(mutex_);
  std::atomic<bool> has_jobs_{false};  // True if jobs_ is not empty; read without the lock.
  size_t queued_bytes_ WR_GUARDED_BY(mutex_) = 0;
  PauseClock pauses_ WR_GUARDED_BY(mutex_);
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  std::optional<Refusal> refusal_ WR_GUARDED_BY(mutex_);
  std::jthread thread_;  // The last member, so that it is joined before anything that it uses is destroyed.
};

}  // namespace widerow
