// A merge that runs ahead in a thread of its own, so that it and the disk work at the same time.
#pragma once

#include <deque>
#include <thread>

#include "base/mutex.h"
#include "storage/bulk_run.h"

namespace widerow {

class BulkPipe {
 public:
  explicit BulkPipe(std::unique_ptr<BulkCursor> merged);
  ~BulkPipe();  // Stops the merge.
  BulkPipe(const BulkPipe&) = delete;
  BulkPipe& operator=(const BulkPipe&) = delete;

  // The next entry, good until the next call; waits for it. False at the end. The one reading thread.
  Result<bool> Next(BulkEntry& entry);

 private:
  void Run();
  // The next block into current_. False at the end.
  Result<bool> NextBlock();

  const std::unique_ptr<BulkCursor> merged_;
  Bytes current_;  // Entries one after the other: two sizes, key, record.
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
