// Loop() repeats these steps: It makes log segments that will be needed (LookAfterLog). It folds slice after slice
// until no memtable is frozen (Fold). It finds out if the active memtable should be folded (LookAtMemtable). Then it
// waits for work, runs one job, and sweeps one slice if one is due (Sweep). After the last slice of a fold, Fold()
// drops the memtable and releases the log's segments.
#include "storage/fold/folder.h"

#include <chrono>

namespace widerow {
namespace {

using std::chrono::steady_clock;

constexpr int64_t kIdleMillis = 1'000;
constexpr auto kTryAgainAfter = std::chrono::seconds(1);
constexpr auto kLookAtMemtableEvery = std::chrono::seconds(2);
constexpr auto kSweepAfterFailure = std::chrono::seconds(10);

}  // namespace

Folder::Folder(Shared shared, std::unique_ptr<StoreWriter> writer, Options options)
    : shared_(shared), writer_(std::move(writer)), options_(std::move(options)), thread_([this] { Loop(); }) {}

Folder::~Folder() {
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.NotifyAll();
}

void Folder::Wake() {
  MutexLock lock(mutex_);
  woken_ = true;
  wake_.NotifyOne();
}

Status Folder::WaitUntilFolded() {
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool folded, WaitUntilFolded([] { return false; }));
  return OkStatus();
}

Result<bool> Folder::WaitUntilFolded(const std::function<bool()>& interrupted) {
  MutexLock lock(mutex_);
  woken_ = true;
  wake_.NotifyOne();
  while (shared_.state.frozen() != nullptr) {
    if (failure_.has_value()) return *failure_;
    if (interrupted()) return false;
    folded_.Wait(mutex_);
  }
  return true;
}

void Folder::Interrupt() {
  MutexLock lock(mutex_);
  folded_.NotifyAll();
}

std::optional<Error> Folder::failure() {
  MutexLock lock(mutex_);
  return failure_;
}

Status Folder::Run(std::function<Status(StoreWriter&)> job) {
  CondVar finished;
  std::optional<Status> outcome;
  Mutex mutex;
  {
    MutexLock lock(mutex_);
    if (stopping_) return ServerError("The database is closing");
    jobs_.push_back({std::move(job), [&](Status status) {
                       MutexLock inner(mutex);
                       outcome.emplace(std::move(status));
                       finished.NotifyOne();
                     }});
    wake_.NotifyOne();
  }
  MutexLock lock(mutex);
  while (!outcome.has_value()) finished.Wait(mutex);
  return std::move(*outcome);
}

void Folder::Failed(const Error& error) {
  next_try_ = steady_clock::now() + kTryAgainAfter;
  MutexLock lock(mutex_);
  const bool is_news = !failure_.has_value() || failure_->message != error.message;
  failure_ = error;
  folded_.NotifyAll();
  if (is_news && options_.log)
    options_.log({LogLevel::kError, "storage",
                  "bringing writes into the data file failed, and is tried again: " + error.message});
}

bool Folder::Fold() {
  if (folding_ == nullptr) {
    folding_ = shared_.state.frozen();
    if (folding_ == nullptr) return false;
    fold_ = {folding_.get(), folding_->first()};
    fold_begun_ = steady_clock::now();
    progress_ = 0;
  }
  if (steady_clock::now() < next_try_) return false;
  // LMDB must never be ahead of the synced log: after a power cut it would have writes that the log has lost. If
  // everything in the memtable is synced already, Sync() is not called, because it would wait for a sync of newer
  // groups.
  if (shared_.log.synced_through() < folding_->extras().last_sequence) {
    if (Status synced = shared_.log.Sync(); !synced.ok()) return Failed(synced.error()), false;
  }
  const Result<bool> done = writer_->FoldSlice(fold_);
  if (!done.ok()) return Failed(done.error()), false;
  NoteProgress();
  if (!*done) return true;
  const uint64_t last = folding_->extras().last_sequence;
  folding_ = nullptr;
  fold_ = {};
  shared_.state.DropFrozen();
  shared_.snapshots.DropStale();
  progress_ = 1;
  ++folds_;
  fold_micros_ += static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - fold_begun_).count());
  {
    MutexLock lock(mutex_);
    failure_.reset();
    folded_.NotifyAll();
  }
  if (Status released = shared_.log.Release(last); !released.ok() && options_.log) {
    options_.log({LogLevel::kError, "storage", "the commit log: " + released.error().message});
  }
  return true;
}

void Folder::NoteProgress() {
  constexpr double kEnoughToTell = 0.05;
  const double share =
      std::min(1.0, static_cast<double>(fold_.bytes) / static_cast<double>(folding_->record_bytes() + 1));
  const std::chrono::duration<double> elapsed = steady_clock::now() - fold_begun_;
  progress_.store(share, std::memory_order_relaxed);
  if (share > kEnoughToTell) fold_seconds_.store(elapsed.count() / share, std::memory_order_relaxed);
}

void Folder::Describe(StorageStatistics& out) const {
  out.fold_progress = progress();
  out.folds = folds_.load(std::memory_order_relaxed);
  out.fold_micros = fold_micros_.load(std::memory_order_relaxed);
}

void Folder::LookAfterLog() {
  if (Status made = shared_.log.PrepareSpare(); !made.ok() && options_.log) {
    options_.log({LogLevel::kError, "storage", "the commit log: " + made.error().message});
  }
}

void Folder::Sweep() {
  const steady_clock::time_point begin = steady_clock::now();
  const Result<bool> more = writer_->SweepSlice();
  const steady_clock::time_point end = steady_clock::now();
  if (!more.ok()) {
    next_sweep_ = end + kSweepAfterFailure;
    if (options_.log && more.error().message != sweep_failure_)
      options_.log({LogLevel::kError, "storage", "sweeping failed: " + more.error().message});
    sweep_failure_ = more.error().message;
    return;
  }
  sweep_failure_.clear();
  next_sweep_ = end + (end - begin) * (100 - options_.sweep_percent) / options_.sweep_percent;
}

void Folder::OnFoldWanted(std::function<void()> wanted) {
  MutexLock lock(mutex_);
  fold_wanted_ = std::move(wanted);
}

void Folder::LookAtMemtable() {
  if (!options_.background_sweep || steady_clock::now() < next_look_) return;
  next_look_ = steady_clock::now() + kLookAtMemtableEvery;
  if (folding_ != nullptr || !writer_->MemtableIsDue()) return;
  MutexLock lock(mutex_);
  if (fold_wanted_) fold_wanted_();
}

void Folder::Loop() {
  while (true) {
    LookAfterLog();
    if (Fold()) continue;
    LookAtMemtable();
    const bool may_sweep = options_.background_sweep && writer_->SweepIsDue();
    const steady_clock::duration until_sweep =
        may_sweep ? next_sweep_ - steady_clock::now() : steady_clock::duration::max();
    const bool due = until_sweep <= steady_clock::duration::zero();
    const auto sleep =
        std::min<int64_t>(kIdleMillis, 1 + std::chrono::duration_cast<std::chrono::milliseconds>(until_sweep).count());
    std::optional<Job> job;
    {
      MutexLock lock(mutex_);
      if (jobs_.empty() && !stopping_ && !woken_ && !due) wake_.WaitFor(mutex_, sleep);
      woken_ = false;
      if (!jobs_.empty()) {
        job = std::move(jobs_.front());
        jobs_.pop_front();
      } else if (stopping_) {
        break;
      }
    }
    if (job.has_value()) job->done(job->run(*writer_));
    // A due slice is swept even if a job has just run. Otherwise sweeping would stop while jobs keep coming.
    if (due) Sweep();
  }
  if (Status stored = writer_->StoreTimestamp(); !stored.ok() && options_.log) {
    options_.log({LogLevel::kError, "storage", "closing: " + stored.error().message});
  }
}

}  // namespace widerow
