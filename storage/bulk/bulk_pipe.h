// Merges the runs of a bulk load (bulk_run.h) on a thread of its own, while another thread stores the entries merged so
// far. The bulk load owns the BulkPipe.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/bulk/bulk_run.h"

namespace widerow {

class BulkPipe {
 public:
  explicit BulkPipe(std::unique_ptr<BulkCursor> merged);
  ~BulkPipe();  // Stops the merge and waits for it.
  BulkPipe(const BulkPipe&) = delete;
  BulkPipe& operator=(const BulkPipe&) = delete;

  // Waits for the next entry and returns it. The entry is valid until the next call. Returns false at the end. Only one
  // thread may call it.
  Result<bool> Next(BulkEntry& entry);

 private:
  void Run();
  // Moves the next block into current_. Returns false at the end.
  Result<bool> NextBlock();

  const std::unique_ptr<BulkCursor> merged_;
  Bytes current_;  // The entries of a block, in the form that bulk_run.cc describes.
  size_t at_ = 0;

  Mutex mutex_;
  CondVar changed_;
  std::deque<Bytes> blocks_ WR_GUARDED_BY(mutex_);
  bool ended_ WR_GUARDED_BY(mutex_) = false;
  bool stopping_ WR_GUARDED_BY(mutex_) = false;
  Status outcome_ WR_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace widerow
