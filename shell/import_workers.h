// The threads of an import. Rows with the same key go to the same worker, in the file's order, so that of two lines
// with one key the later one stays. Knows which rows are not in yet, and so where an import that stops can go on.
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
#include "shell/row_loader.h"

namespace widerow {

class ImportWorkers {
 public:
  // One worker a session.
  ImportWorkers(std::vector<std::unique_ptr<Session>> sessions, const CopyMapping& mapping, const CopyCommand& command,
                BadRows& bad);
  ~ImportWorkers();  // Stops without sending what waits.

  // Queues the record. False if it must wait: call again with the same record; it has then waited up to 100 ms.
  bool Add(const CsvRecord& record, uint64_t number);
  // Sends what is left and joins the threads. The first error of a worker.
  Status Finish();
  bool failed() const WR_EXCLUDES(mutex_);
  uint64_t rows_in() const { return counters_.rows_in.load(); }

  struct Place {
    uint64_t number = 0, line = 0;
  };
  // The first row that is neither in nor reported; `next` if there is none.
  Place FirstOpenRow(Place next) const WR_EXCLUDES(mutex_);

 private:
  struct Worker {
    std::unique_ptr<Session> session;
    std::unique_ptr<RowLoader> loader;
    RowBatch open;               // Being filled by the reading thread.
    std::deque<RowBatch> queue;  // Guarded by mutex_.
    std::thread thread;
  };

  bool Push(Worker& worker);
  void Run(Worker& worker);
  void Join();

  const CopyMapping& mapping_;
  const uint32_t batch_rows_;
  LoaderCounters counters_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t round_robin_ = 0;
  mutable Mutex mutex_;
  CondVar work_ready_, room_ready_;
  bool ending_ WR_GUARDED_BY(mutex_) = false;
  Status failure_ WR_GUARDED_BY(mutex_);
  std::map<uint64_t, uint64_t> open_batches_
      WR_GUARDED_BY(mutex_);  // First row's number and line, of batches not done.
};

}  // namespace widerow
