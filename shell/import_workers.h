// The worker threads of an import. Rows with the same key go to the same worker, in the file's order, so the later of
// two lines with one key wins. In a bulk load, the rows' timestamps decide which one wins, and rows go to the worker
// with the shortest queue. ImportWorkers knows which rows are not stored yet, and so where a stopped import can
// continue.
//
// Only the reading thread calls Add, Drain, Finish and the getters.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "shell/row_keys.h"

namespace widerow {

class ImportWorkers {
 public:
  // One worker per sink. `keys`: null in a bulk load.
  ImportWorkers(std::vector<std::unique_ptr<RowSink>> sinks, std::unique_ptr<RowKeys> keys, uint32_t batch_rows);
  ~ImportWorkers();  // Stops without sending the queued rows.

  // Queues the record. Returns false if the queue is still full after a wait of up to 100 ms; then call it again with
  // the same record.
  bool Add(const CsvRecord& record, uint64_t number, int64_t timestamp = 0);
  // Sends all added rows. Returns true if they are finished. Returns false after a short wait if they are not; then
  // call it again.
  bool Drain() WR_EXCLUDES(mutex_);
  // Sends the remaining rows and joins the threads. Returns the first error of a worker.
  Status Finish();
  bool failed() const WR_EXCLUDES(mutex_);

  struct Place {
    uint64_t number = 0, line = 0;
  };
  // Returns the first row that is neither stored nor reported; `next` if there is none.
  Place FirstOpenRow(Place next) const WR_EXCLUDES(mutex_);

 private:
  struct Worker {
    std::unique_ptr<RowSink> sink;
    RowBatch open;               // The reading thread fills it.
    std::deque<RowBatch> queue;  // Guarded by mutex_.
    bool busy = false;           // True while the worker loads a batch. Guarded by mutex_.
    std::thread thread;
  };

  Worker& PickWorker(const RowKey& key);
  bool Push(Worker& worker);
  void Run(Worker& worker);
  void Join();

  const std::unique_ptr<RowKeys> keys_;
  const uint32_t batch_rows_;
  std::vector<std::unique_ptr<Worker>> workers_;
  size_t next_ = 0;  // The worker that gets the next rows, unless their keys decide.
  mutable Mutex mutex_;
  CondVar work_ready_;
  TimedCondVar room_ready_;
  bool ending_ WR_GUARDED_BY(mutex_) = false;
  Status failure_ WR_GUARDED_BY(mutex_);
  // The batches that are not done. Maps the number of a batch's first row to the line of this row.
  std::map<uint64_t, uint64_t> open_batches_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
