#include "storage/lmdb/page_usage.h"

#include <lmdb.h>

#include <cstring>

namespace widerow::lmdb {
namespace {

constexpr int kPauseFactor = 99;
constexpr MDB_dbi kFreeLists = 0;  // LMDB's own database of free lists.

}  // namespace

Rc TxnRef::CountFreePages(uint64_t& count, uint64_t since) const {
  count = 0;
  MDB_cursor* cursor = nullptr;
  int code = mdb_cursor_open(txn_, kFreeLists, &cursor);
  if (code != 0) return Rc(code);
  size_t first = since;  // The key of each list is the number of its commit.
  MDB_val commit{sizeof first, &first}, list;
  for (code = mdb_cursor_get(cursor, &commit, &list, MDB_SET_RANGE); code == 0;
       code = mdb_cursor_get(cursor, &commit, &list, MDB_NEXT)) {
    size_t pages = 0;  // A list begins with its length.
    std::memcpy(&pages, list.mv_data, sizeof pages);
    count += pages;
  }
  mdb_cursor_close(cursor);
  return code == MDB_NOTFOUND ? Rc::Done() : Rc(code);
}

Result<PageUsage> PageCounter::Count() {
  using std::chrono::steady_clock;
  MutexLock lock(mutex_);
  WR_ASSIGN_OR_RETURN(const ReadTxn txn, ReadTxn::Begin(env_));
  const uint64_t commit = txn.ref().id();
  const steady_clock::time_point begin = steady_clock::now();
  if (commit == counted_commit_ || begin < next_count_) return known_;
  PageUsage usage{.page_bytes = env_.page_bytes(), .pages = env_.pages()};
  if (const Rc rc = txn.ref().CountFreePages(usage.free_pages); !rc.ok()) return ToError(rc, "counting free pages");
  known_ = usage;
  counted_commit_ = commit;
  const steady_clock::time_point end = steady_clock::now();
  next_count_ = end + kPauseFactor * (end - begin);
  return known_;
}

}  // namespace widerow::lmdb
