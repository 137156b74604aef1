#include "shell/import_workers.h"

#include <algorithm>

#include "shell/interrupt.h"

namespace widerow {
namespace {

constexpr size_t kQueuedBatchesMax = 4;
constexpr size_t kBatchTextBytesMax = 4u << 20;
constexpr int64_t kWaitMs = 100;

}  // namespace

ImportWorkers::ImportWorkers(std::vector<std::unique_ptr<Session>> sessions, const CopyMapping& mapping,
                             const CopyCommand& command, BadRows& bad)
    : mapping_(mapping), batch_rows_(command.chunk_rows) {
  const InterruptsBlocked blocked;
  for (std::unique_ptr<Session>& session : sessions) {
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    worker.session = std::move(session);
    worker.loader = std::make_unique<RowLoader>(*worker.session, mapping, command, bad, counters_);
  }
  for (const auto& worker : workers_) worker->thread = std::thread([this, &worker = *worker] { Run(worker); });
}

ImportWorkers::~ImportWorkers() {
  {
    MutexLock lock(mutex_);
    for (const auto& worker : workers_) worker->queue.clear();
  }
  Join();
}

bool ImportWorkers::Add(const CsvRecord& record, uint64_t number) {
  const size_t pick =
      mapping_.key_fields.empty() ? round_robin_ : std::hash<std::string>()(KeyTextOf(mapping_, record));
  Worker& worker = *workers_[pick % workers_.size()];
  const bool full = worker.open.rows.size() >= batch_rows_ || worker.open.text.size() >= kBatchTextBytesMax;
  if (full && !Push(worker)) return false;
  if (worker.open.rows.empty()) {
    MutexLock lock(mutex_);
    open_batches_[number] = record.line;
  }
  worker.open.Add(record, number);
  ++round_robin_;
  return true;
}

// False if the queue stayed full.
bool ImportWorkers::Push(Worker& worker) {
  MutexLock lock(mutex_);
  if (worker.queue.size() >= kQueuedBatchesMax && failure_.ok()) room_ready_.WaitFor(mutex_, kWaitMs);
  if (worker.queue.size() >= kQueuedBatchesMax) return false;
  worker.queue.push_back(std::move(worker.open));
  worker.open = {};
  work_ready_.NotifyAll();
  return true;
}

Status ImportWorkers::Finish() {
  for (const auto& worker : workers_) {
    while (!worker->open.rows.empty() && !failed() && !Push(*worker)) {}
  }
  Join();
  MutexLock lock(mutex_);
  return std::move(failure_);
}

void ImportWorkers::Join() {
  {
    MutexLock lock(mutex_);
    ending_ = true;
    work_ready_.NotifyAll();
  }
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

bool ImportWorkers::failed() const {
  MutexLock lock(mutex_);
  return !failure_.ok();
}

ImportWorkers::Place ImportWorkers::FirstOpenRow(Place next) const {
  MutexLock lock(mutex_);
  if (open_batches_.empty()) return next;
  const auto& [number, line] = *open_batches_.begin();
  return {number, line};
}

void ImportWorkers::Run(Worker& worker) {
  while (true) {
    RowBatch batch;
    {
      MutexLock lock(mutex_);
      while (worker.queue.empty() && !ending_ && failure_.ok()) work_ready_.Wait(mutex_);
      if (worker.queue.empty() || !failure_.ok()) return;
      batch = std::move(worker.queue.front());
      worker.queue.pop_front();
      room_ready_.NotifyAll();
    }
    Status loaded = worker.loader->Load(batch);
    MutexLock lock(mutex_);
    if (loaded.ok()) {
      open_batches_.erase(batch.rows.front().number);
      continue;
    }
    if (failure_.ok()) failure_ = std::move(loaded);
    work_ready_.NotifyAll();
    room_ready_.NotifyAll();
    return;
  }
}

}  // namespace widerow
