// Counts the used and the free pages of data.mdb. LMDB keeps one list of free pages for each commit that freed some.
// Each list begins with its length.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/mutex.h"
#include "storage/lmdb/env.h"

namespace widerow::lmdb {

struct PageUsage {
  uint64_t page_bytes = 0;
  uint64_t pages = 0;  // The pages of the file, used or free.
  // New data goes to free pages before the file grows. The file never shrinks.
  uint64_t free_pages = 0;
};

// Counts the pages of one environment and remembers the result. Count() returns the last result if no commit came after
// it. With very many lists counting takes long, so Count() also returns the last result until 99 times the duration of
// the last counting has passed. So at most 1 % of the time is spent on counting. Thread-safe.
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
