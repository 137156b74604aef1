#include "storage/writer_thread.h"

#include <chrono>

namespace widerow {
namespace {

constexpr size_t kGroupBytesMax = 8u << 20;
constexpr size_t kGroupWritesMax = 8'192;
constexpr size_t kQueuedBytesMax = 256u << 20;
constexpr int64_t kIdleMillis = 1'000;
constexpr auto kSweepUnderLoadEvery = std::chrono::milliseconds(50);
constexpr auto kSweepAfterFailure = std::chrono::seconds(10);

size_t SizeOf(const Write& write) {
  size_t bytes = sizeof write;
  for (const PartitionMutation& partition : write.mutation) {
    bytes += sizeof partition + partition.partition_key.size();
    bytes += partition.range_deletions.size() * sizeof(RangeDeletion);
    for (const RowMutation& row : partition.rows) {
      bytes += sizeof row + row.clustering.size();
      for (const Cell& cell : row.content.cells) bytes += sizeof cell + cell.path.size() + cell.value.size();
    }
  }
  return bytes;
}

}  // namespace

WriterThread::WriterThread(std::unique_ptr<StoreWriter> writer, Options options)
    : options_(std::move(options)), writer_(std::move(writer)), thread_([this] { Loop(); }) {}

WriterThread::~WriterThread() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

Status WriterThread::Enqueue(Pending pending) {
  MutexLock lock(mutex_);
  if (stopping_) return ServerError("The database is closing");
  if (queue_.size() >= options_.pending_writes_max || queued_bytes_ + pending.bytes > kQueuedBytesMax + pending.bytes) {
    Error error{.code = ErrorCode::kOverloaded,
                .message = "Too many writes are waiting to be committed (" + std::to_string(queue_.size()) + ")"};
    error.hint = "send fewer writes at a time";
    return error;
  }
  queued_bytes_ += pending.bytes;
  queue_.push_back(std::move(pending));
  if (queue_.size() == 1) wake_.NotifyOne();
  return OkStatus();
}

void WriterThread::Submit(Write write, std::function<void(Status)> done) {
  const size_t bytes = SizeOf(write);
  // Kept aside: a write that cannot be queued is answered here.
  auto shared_done = std::make_shared<std::function<void(Status)>>(std::move(done));
  Status queued = Enqueue({.write = std::move(write),
                           .done = [shared_done](Status status) { (*shared_done)(std::move(status)); },
                           .bytes = bytes});
  if (!queued.ok()) (*shared_done)(std::move(queued));
}

Status WriterThread::Run(std::function<Status(StoreWriter&)> job) {
  Mutex mutex;
  CondVar finished;
  std::optional<Status> outcome;
  WR_RETURN_IF_ERROR(Enqueue({.job = std::move(job), .done = [&](Status status) {
                                MutexLock lock(mutex);
                                outcome.emplace(std::move(status));
                                finished.NotifyOne();
                              }}));
  MutexLock lock(mutex);
  while (!outcome.has_value()) finished.Wait(mutex);
  return std::move(*outcome);
}

std::vector<WriterThread::Pending> WriterThread::TakeGroup(bool sweep_is_due) {
  std::vector<Pending> group;
  MutexLock lock(mutex_);
  while (queue_.empty() && !stopping_ && !sweep_is_due) {
    if (!wake_.WaitFor(mutex_, kIdleMillis)) break;
  }
  size_t bytes = 0;
  while (!queue_.empty() && group.size() < kGroupWritesMax && bytes < kGroupBytesMax) {
    const bool is_job = queue_.front().job != nullptr;
    if (is_job && !group.empty()) break;
    bytes += queue_.front().bytes;
    queued_bytes_ -= queue_.front().bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
    if (is_job) break;
  }
  return group;
}

void WriterThread::Commit(std::vector<Pending>& group) {
  if (group.front().job != nullptr) {
    group.front().done(group.front().job(*writer_));
    return;
  }
  std::vector<const Write*> writes;
  writes.reserve(group.size());
  for (const Pending& pending : group) writes.push_back(&pending.write);
  std::vector<Status> statuses;
  writer_->ApplyGroup(writes, statuses);
  for (size_t i = 0; i < group.size(); ++i) group[i].done(std::move(statuses[i]));
}

bool WriterThread::Sweep() {
  Result<bool> more = writer_->SweepSlice();
  if (more.ok()) return more.value();
  if (options_.log) options_.log("sweeping failed: " + more.error().message);
  return false;
}

void WriterThread::Loop() {
  using std::chrono::steady_clock;
  steady_clock::time_point next_sweep = steady_clock::now();
  while (true) {
    const bool due = options_.background_sweep && writer_->SweepIsDue() && steady_clock::now() >= next_sweep;
    std::vector<Pending> group = TakeGroup(due);
    if (!group.empty()) {
      Commit(group);
      if (due) {
        // Writes go first; sweeping gets a share of the time all the same.
        next_sweep = steady_clock::now() + (Sweep() ? kSweepUnderLoadEvery : kSweepAfterFailure);
      }
      continue;
    }
    {
      MutexLock lock(mutex_);
      if (stopping_ && queue_.empty()) break;
    }
    if (due && !Sweep()) next_sweep = steady_clock::now() + kSweepAfterFailure;
  }
  if (Status stored = writer_->StoreTimestamp(); !stored.ok() && options_.log) {
    options_.log("closing: " + stored.error().message);
  }
}

}  // namespace widerow
