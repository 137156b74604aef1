#include "shell/import_workers.h"

#include <algorithm>

#include "base/bytes_map.h"
#include "shell/interrupt.h"

namespace widerow {
namespace {

constexpr size_t kQueuedBatchesMax = 4;
constexpr size_t kBatchTextBytesMax = 4u << 20;
constexpr int64_t kWaitMs = 100;

}  // namespace

ImportWorkers::ImportWorkers(std::vector<std::unique_ptr<RowSink>> sinks, std::unique_ptr<RowKeys> keys,
                             uint32_t batch_rows)
    : keys_(std::move(keys)), batch_rows_(batch_rows) {
  const InterruptsBlocked blocked;
  for (std::unique_ptr<RowSink>& sink : sinks) {
    workers_.emplace_back(std::make_unique<Worker>())->sink = std::move(sink);
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

ImportWorkers::Worker& ImportWorkers::PickWorker(const RowKey& key) {
  if (!key.bytes.empty()) return *workers_[BytesHash()(keys_->OrderedPart(key)) % workers_.size()];
  if (workers_[next_]->open.rows.empty()) {
    MutexLock lock(mutex_);
    const auto least = std::min_element(workers_.begin(), workers_.end(), [](const auto& a, const auto& b) {
      return a->queue.size() + (a->busy ? 1 : 0) < b->queue.size() + (b->busy ? 1 : 0);
    });
    next_ = static_cast<size_t>(least - workers_.begin());
  }
  return *workers_[next_];
}

bool ImportWorkers::Add(const CsvRecord& record, uint64_t number, int64_t timestamp) {
  const RowKey key = keys_ != nullptr ? keys_->Of(record) : RowKey{};
  Worker* worker = &PickWorker(key);
  if (worker->open.rows.size() >= batch_rows_ || worker->open.text.size() >= kBatchTextBytesMax) {
    if (!Push(*worker)) return false;
    worker = &PickWorker(key);
  }
  if (worker->open.rows.empty()) {
    MutexLock lock(mutex_);
    open_batches_[number] = record.line;
  }
  worker->open.Add(record, number, timestamp, key);
  return true;
}

// Returns false if the queue stayed full.
bool ImportWorkers::Push(Worker& worker) {
  MutexLock lock(mutex_);
  if (worker.queue.size() >= kQueuedBatchesMax && failure_.ok()) room_ready_.WaitFor(mutex_, kWaitMs);
  if (worker.queue.size() >= kQueuedBatchesMax) return false;
  worker.queue.push_back(std::move(worker.open));
  worker.open = {};
  work_ready_.NotifyAll();
  return true;
}

bool ImportWorkers::Drain() {
  for (const auto& worker : workers_) {
    if (!worker->open.rows.empty() && !Push(*worker)) return false;
  }
  MutexLock lock(mutex_);
  if (!open_batches_.empty() && failure_.ok()) room_ready_.WaitFor(mutex_, kWaitMs);
  return open_batches_.empty();
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
      worker.busy = true;
      room_ready_.NotifyAll();
    }
    Status loaded = worker.sink->Load(batch);
    MutexLock lock(mutex_);
    worker.busy = false;
    if (loaded.ok()) {
      open_batches_.erase(batch.rows.front().number);
      room_ready_.NotifyAll();
      continue;
    }
    if (failure_.ok()) failure_ = std::move(loaded);
    work_ready_.NotifyAll();
    room_ready_.NotifyAll();
    return;
  }
}

}  // namespace widerow
