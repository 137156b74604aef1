// Log posts a job to the writer's thread and waits for it. But the writer's thread may itself be waiting for the
// folder: for a fold, or for the end of a purge. Then Log withdraws the job, which is possible until the job has begun.
#include "storage/engine/direct_log_writer.h"

#include <chrono>
#include <memory>

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int64_t kLookEveryMillis = 1;
// A job that has not begun after this time is withdrawn, because the writer's thread may be waiting for the folder.
constexpr auto kPatience = std::chrono::milliseconds(50);

}  // namespace

struct EngineDirectLog::Job {
  enum class State : uint8_t { kWaiting, kRunning, kWithdrawn, kDone };
  Mutex mutex;
  TimedCondVar changed;
  State state WR_GUARDED_BY(mutex) = State::kWaiting;
  Status outcome WR_GUARDED_BY(mutex);

  bool Begin() {
    MutexLock lock(mutex);
    if (state != State::kWaiting) return false;
    state = State::kRunning;
    return true;
  }
  void End(Status status) {
    MutexLock lock(mutex);
    outcome = std::move(status);
    state = State::kDone;
    changed.NotifyAll();
  }
};

void EngineDirectLog::Attach(WriterThread& writer, Folder& folder, size_t freeze_bytes) {
  MutexLock lock(mutex_);
  writer_ = &writer;
  folder_ = &folder;
  freeze_bytes_ = freeze_bytes;
}

void EngineDirectLog::Detach() {
  MutexLock lock(mutex_);
  writer_ = nullptr;
}

Result<bool> EngineDirectLog::Log(Bytes group) {
  auto job = std::make_shared<Job>();
  {
    MutexLock lock(mutex_);
    if (writer_ == nullptr) return false;
    writer_->Post(
        [this, job, group = std::move(group), folder = folder_, freeze_bytes = freeze_bytes_](GroupWriter& writer) {
          if (!job->Begin()) return;
          // The changes of all earlier direct groups have been made. So the memtable may be folded: after this fold,
          // the next start of the engine need not repeat these groups.
          if (bytes_ > freeze_bytes && state_.frozen() == nullptr && writer.Freeze()) {
            bytes_ = 0;
            folder->Wake();
          }
          bytes_ += group.size();
          job->End(writer.LogDirect(group));
        });
  }
  const SteadyClock::time_point withdraw_at = SteadyClock::now() + kPatience;
  MutexLock lock(job->mutex);
  while (job->state != Job::State::kDone) {
    const bool late = state_.frozen() != nullptr || SteadyClock::now() > withdraw_at;
    if (job->state == Job::State::kWaiting && late) {
      job->state = Job::State::kWithdrawn;
      return false;
    }
    job->changed.WaitFor(job->mutex, kLookEveryMillis);
  }
  WR_RETURN_IF_ERROR(std::move(job->outcome));
  return true;
}

}  // namespace widerow
