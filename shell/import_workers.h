// The threads of an import. Rows with the same key go to the same worker, in the file's order, so that of two lines
// with one key the later one stays; rows that carry timestamps go to the worker that has the least to do. Knows which rows
// are not in yet, and so where an import that stops can go on.
//
// Add, Finish and the getters: the reading thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "shell/row_converter.h"

namespace widerow {

class ImportWorkers {
 public:
  enum class Order : uint8_t { kByKey, kByTimestamp };  // What tells of two rows with one key which is the later.

  // One worker a sink. `mapping` outlives them.
  ImportWorkers(std::vector<std::unique_ptr<RowSink>> sinks, const CopyMapping& mapping, uint32_t batch_rows, Order order);
  ~ImportWorkers();  // Stops without sending what waits.

  // Queues the record. False if it must wait: call again with the same record; it has then waited up to 100 ms.
  bool Add(const CsvRecord& record, uint64_t number, int64_t timestamp = 0);
  // False unless everything added is done with; waits up to 100 ms for it.
  bool Drain() WR_EXCLUDES(mutex_);
  // Sends what is left and joins the threads. The first error of a worker.
  Status Finish();
  bool failed() const WR_EXCLUDES(mutex_);

  struct Place {
    uint64_t number = 0, line = 0;
  };
  // The first row that is neither in nor reported; `next` if there is none.
  Place FirstOpenRow(Place next) const WR_EXCLUDES(mutex_);

 private:
  struct Worker {
    std::unique_ptr<RowSink> sink;
    RowBatch open;               // Being filled by the reading thread.
    std::deque<RowBatch> queue;  // Guarded by mutex_.
    bool busy = false;           // With a batch. Guarded by mutex_.
    std::thread thread;
  };

  Worker& PickWorker(const CsvRecord& record);
  bool Push(Worker& worker);
  void Run(Worker& worker);
  void Join();

  const CopyMapping& mapping_;
  const uint32_t batch_rows_;
  const Order order_;
  std::vector<std::unique_ptr<Worker>> workers_;
  size_t next_ = 0;  // Of rows in any order: the worker being given rows.
  mutable Mutex mutex_;
  CondVar work_ready_, room_ready_;
  bool ending_ WR_GUARDED_BY(mutex_) = false;
  Status failure_ WR_GUARDED_BY(mutex_);
  std::map<uint64_t, uint64_t> open_batches_
      WR_GUARDED_BY(mutex_);  // First row's number and line, of batches not done.
};

}  // namespace widerow
