// How the pages of data.mdb are used. LMDB keeps lists of its free pages, one for each commit that freed some; how many
// there are all told is counted by looking at the beginning of each list.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/mutex.h"
#include "storage/lmdb/env.h"

namespace widerow::lmdb {

struct PageUsage {
  uint64_t page_bytes = 0;
  uint64_t pages = 0;       // The file's: in use or free.
  uint64_t free_pages = 0;  // Taken first by what is written next; the file never shrinks.
};

// Counts when it is asked, if there has been a commit since the last time; but where counting takes long, because there are
// very many lists, it answers with what it has, so that no more than a hundredth of the time goes into it. Any thread.
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
