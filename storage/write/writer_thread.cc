// Loop() takes a group from the queue (TakeGroup), runs the jobs, and commits the group. Commit() makes room in the
// memtable (MakeRoom), lets GroupWriter apply and log the group, counts the waits, and calls the callbacks. Then it may
// pause so that the fold keeps up (KeepPace). Jobs also run during every wait and pause. docs/internals/write-path.md,
// "Pace", describes the pauses.
#include "storage/write/writer_thread.h"

#include <chrono>

#include "base/short_turns.h"

namespace widerow {
namespace {

constexpr size_t kGroupBytesMax = 8u << 20;
constexpr size_t kGroupWritesMax = 8'192;
constexpr size_t kQueuedBytesMax = 256u << 20;
constexpr size_t kPendingOverhead = 256;
// A group adds at most about 1 / kGroupsInMemtable of a memtable's size to the memtable, but it may always add
// kGroupMemoryMin.
constexpr size_t kGroupsInMemtable = 4;
constexpr size_t kGroupMemoryMin = 256u << 10;

// Calls the callback of a write. A callback that throws, for lack of memory, does not affect other writes.
void Answer(const std::function<void(Status)>& done, Status status) {
  try {
    done(std::move(status));
  } catch (const std::exception&) {}
}

}  // namespace

WriterThread::WriterThread(std::unique_ptr<GroupWriter> writer, Folder& folder, Options options)
    : options_(options),
      writer_(std::move(writer)),
      folder_(folder),
      freeze_bytes_(options.memtable_bytes),
      thread_([this] { Loop(); }) {}

WriterThread::~WriterThread() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

Status WriterThread::Enqueue(Pending& pending) {
  MutexLock lock(mutex_);
  if (stopping_) return ServerError("The database is closing");
  if (queue_.size() >= options_.pending_writes_max || queued_bytes_ + pending.bytes > kQueuedBytesMax + pending.bytes) {
    Error error{.code = ErrorCode::kOverloaded,
                .message = "Too many writes are waiting to be committed (" + std::to_string(queue_.size()) + ")"};
    error.hint = "send fewer writes at a time";
    return error;
  }
  const size_t bytes = pending.bytes;
  pending.paused_before = pauses_.PausedBefore(pending.queued);
  queue_.push_back(std::move(pending));
  queued_bytes_ += bytes;
  if (queue_.size() == 1) wake_.NotifyOne();
  return OkStatus();
}

void WriterThread::Submit(QueuedWrite write, std::function<void(Status)> done) {
  const size_t bytes = write.encoded.size() + write.decide_bytes + kPendingOverhead;
  Pending pending{.write = std::move(write), .done = std::move(done), .bytes = bytes};
  if (Status queued = Enqueue(pending); !queued.ok()) pending.done(std::move(queued));
}

Status WriterThread::Run(std::function<Status(GroupWriter&)> job) {
  Mutex mutex;
  CondVar finished;
  std::optional<Status> outcome;
  {
    MutexLock lock(mutex_);
    if (stopping_) return ServerError("The database is closing");
    jobs_.push_back({std::move(job), [&](Status status) {
                       MutexLock inner(mutex);
                       outcome.emplace(std::move(status));
                       finished.NotifyOne();
                     }});
    has_jobs_ = true;
    wake_.NotifyOne();
  }
  folder_.Interrupt();  // The writer's thread may be waiting for a fold.
  MutexLock lock(mutex);
  while (!outcome.has_value()) finished.Wait(mutex);
  return std::move(*outcome);
}

void WriterThread::Post(std::function<void(GroupWriter&)> job) {
  MutexLock lock(mutex_);
  if (stopping_) return;
  jobs_.push_back(
      {[job = std::move(job)](GroupWriter& writer) { return job(writer), OkStatus(); }, [](const Status&) {}});
  has_jobs_ = true;
  wake_.NotifyOne();
}

bool WriterThread::TakeGroup(std::vector<Pending>& group) {
  MutexLock lock(mutex_);
  while (queue_.empty() && jobs_.empty() && !stopping_) wake_.Wait(mutex_);
  if (!jobs_.empty()) return true;
  size_t bytes = 0;
  while (!queue_.empty() && group.size() < kGroupWritesMax && bytes < kGroupBytesMax) {
    bytes += queue_.front().bytes;
    queued_bytes_ -= queue_.front().bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  paused_before_take_ = pauses_.PausedBefore(Clock::now());
  return !group.empty();
}

void WriterThread::RunJobs() {
  std::deque<Job> jobs;
  {
    MutexLock lock(mutex_);
    jobs.swap(jobs_);
    has_jobs_ = false;
  }
  for (Job& job : jobs) {
    Status status = job.run(*writer_);
    if (writer_->TakeSpareWanted()) folder_.Wake();
    job.done(std::move(status));
  }
}

void WriterThread::Commit(std::span<Pending> group) {
  const size_t memory_max = std::max(kGroupMemoryMin, options_.memtable_bytes / kGroupsInMemtable);
  const Clock::time_point taken = Clock::now();
  std::vector<const QueuedWrite*> writes;
  writes.reserve(group.size());
  for (const Pending& pending : group) writes.push_back(&pending.write);
  std::vector<Status> statuses;
  for (size_t first = 0; first < group.size();) {
    if (Status room = MakeRoom(); !room.ok()) {
      NoteRefusal(room.error());
      for (Pending& pending : group.subspan(first)) Answer(pending.done, room.error());
      return;
    }
    const Clock::time_point begun = Clock::now();
    const size_t before = writer_->active_bytes();
    const size_t count = writer_->ApplyGroup(std::span(writes).subspan(first), memory_max, statuses);
    NoteRefusal(writer_->log_error());
    // The folder's thread makes the next segment of the log. That takes time, so the thread is woken before the
    // callbacks.
    if (writer_->TakeSpareWanted()) folder_.Wake();
    CountWaits(group.subspan(first, count), taken, begun);
    for (size_t i = 0; i < count; ++i) Answer(group[first + i].done, std::move(statuses[i]));
    KeepPace(writer_->active_bytes() - before);
    first += count;
  }
}

void WriterThread::NoteRefusal(const std::optional<Error>& error) {
  if (!error && !refused_) [[likely]]
    return;
  refused_ = error.has_value();
  MutexLock lock(mutex_);
  refusal_.reset();
  if (error) refusal_ = {*error, Clock::now()};
}

std::optional<WriterThread::Refusal> WriterThread::refusal() {
  MutexLock lock(mutex_);
  return refusal_;
}

void WriterThread::CountWaits(std::span<const Pending> group, Clock::time_point taken, Clock::time_point begun) {
  const Clock::time_point now = Clock::now();
  const Clock::duration logged = writer_->log_time();
  for (const Pending& pending : group) {
    const Clock::duration paused = paused_before_take_ - pending.paused_before;
    waits_.Add(WaitStage::kQueue, taken - pending.queued - paused);
    waits_.Add(WaitStage::kBackPressure, paused + (begun - taken));
    waits_.Add(WaitStage::kTotal, now - pending.queued);
  }
  waits_.Add(WaitStage::kApply, now - begun - logged, group.size());
  waits_.Add(WaitStage::kSync, logged, group.size());
  groups_.fetch_add(1, std::memory_order_relaxed);
}

void WriterThread::Describe(StorageStatistics& out) {
  for (size_t stage = 0; stage < kWaitStages; ++stage) out.waits[stage] = waits_.Read(static_cast<WaitStage>(stage));
  out.groups = groups_.load(std::memory_order_relaxed);
  MutexLock lock(mutex_);
  out.writes_pending = queue_.size();
}

void WriterThread::Pause(Clock::duration time) {
  // Jobs run at least this often during a pause.
  constexpr auto kNapMax = std::chrono::microseconds(500);
  const Clock::time_point begin = Clock::now(), end = begin + time;
  {
    MutexLock lock(mutex_);
    pauses_.Begin(begin);
  }
  for (Clock::time_point now = begin; now < end; now = Clock::now()) {
    if (has_jobs_) RunJobs();
    std::this_thread::sleep_for(std::min<Clock::duration>(end - now, kNapMax));
  }
  MutexLock lock(mutex_);
  pauses_.End(Clock::now());
}

size_t WriterThread::MemtableLimit(size_t folding) const {
  if (folding == 0) return freeze_bytes_;
  const size_t most = options_.memtable_bytes / 2 * 3, least = options_.memtable_bytes / 2;
  return std::max(least, std::min(most, 2 * options_.memtable_bytes - std::min(folding, 2 * options_.memtable_bytes)));
}

void WriterThread::LearnFrom(size_t folded, size_t grown, bool slowed) {
  // A reserve for the case that the next fold takes longer, or that more is written during it.
  constexpr double kReserve = 1.25;
  const double growth = slowed ? 1 : kReserve * static_cast<double>(grown) / static_cast<double>(folded);
  const double share = std::clamp(2 / (1 + growth), 1.0, 1.5);
  freeze_bytes_ = static_cast<size_t>(share * static_cast<double>(options_.memtable_bytes));
}

void WriterThread::KeepPace(size_t growth) {
  constexpr double kSecondsMax = 0.05;
  const size_t folding = writer_->folding_bytes(), active = writer_->active_bytes();
  const uint64_t fold = folding == 0 ? 0 : writer_->freezes();
  if (fold != fold_seen_.fold) {
    if (fold_seen_.fold != 0) LearnFrom(fold_seen_.folded, fold_seen_.grown, fold_seen_.slowed);
    fold_seen_ = {.fold = fold, .folded = folding};
  }
  if (folding == 0) return;
  fold_seen_.grown = active;
  // Half of the memtable may fill at any speed, so that bursts have room. The other half may fill only as fast as the
  // other memtable is folded.
  const auto limit = static_cast<double>(MemtableLimit(folding));
  if (static_cast<double>(active) <= limit * (0.5 + 0.5 * folder_.progress())) return;
  fold_seen_.slowed = true;
  const double seconds = static_cast<double>(growth) / limit * folder_.fold_seconds();
  const std::chrono::duration<double> pause(std::min(seconds, kSecondsMax));
  Pause(std::chrono::duration_cast<Clock::duration>(pause));
}

Status WriterThread::MakeRoom() {
  while (true) {
    const size_t folding = writer_->folding_bytes();
    if (writer_->active_bytes() < MemtableLimit(folding)) return OkStatus();
    if (folding == 0) {
      if (writer_->Freeze()) folder_.Wake();
      continue;
    }
    WR_ASSIGN_OR_RETURN(const bool folded, folder_.WaitUntilFolded([this] { return has_jobs_.load(); }));
    if (!folded) RunJobs();
  }
}

void WriterThread::Loop() {
  AskForShortTurns();
  std::vector<Pending> group;
  while (TakeGroup(group)) {
    RunJobs();
    if (!group.empty()) Commit(group);
    group.clear();
  }
}

}  // namespace widerow
