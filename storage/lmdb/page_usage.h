// Counts the used and free pages of data.mdb. LMDB keeps a list of free pages for each commit that freed some; each
// list begins with its length.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/mutex.h"
#include "storage/lmdb/env.h"

namespace widerow::lmdb {

struct PageUsage {
  uint64_t page_bytes = 0;
  uint64_t pages = 0;  // The pages of the file, used or free.
  // Free pages are used before the file grows. The file never shrinks.
  uint64_t free_pages = 0;
};

// Counts again only after a commit. With very many lists counting takes long. Then it returns the last result until 99
// times that duration has passed, so at most a hundredth of the time is spent on counting. Any thread.
class PageCounter {
 public:
  explicit PageCounter(Env& env) : env_(env) {}
  Result<PageUsage> Count();

 private:
  Env& env_;
  Mutex mutex_;
  PageUsage known_ WR_GUARDED_BY(mutex_);
  uint64_t counted_commit_ WR_GUARDED_BY(mutex_) = 0;
  std::chrono::steady_clock::time_point next_count_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow::lmdb
