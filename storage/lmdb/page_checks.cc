// This file has the functions that mdb.c calls (third_party/lmdb/page_hooks.h), and those that describe the damage
// found. FindDamage examines one page. Reject notes the damage for the thread, so that ToError can name the place.
#include "storage/lmdb/page_checks.h"

#include <lmdb.h>
#include <page_hooks.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/checksum.h"
#include "base/text.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/map_faults.h"
#include "storage/lmdb/page_layout.h"

namespace widerow::lmdb {
namespace {

constexpr const char* kNoMatch = "does not match its checksum";
constexpr const char* kNotAPage = "is not a page of the database";
constexpr const char* kOld = "has old contents: the disk has lost a write";

struct ThreadState {
  DamagedPage damaged;
  // The last page that this thread has begun to use.
  const char* file = nullptr;
  uint64_t page = 0, offset = 0;
};
ThreadState& OfThread() {
  thread_local ThreadState state;
  return state;
}

// Returns the checksum of a page. It is never zero, because a zero in the page means that it has no checksum.
uint32_t SumOf(const char* page, uint64_t bytes) {
  return std::max(1u, Checksum({page + PageView::kSealedFrom, bytes - PageView::kSealedFrom}));
}

// True if LMDB can read the page without reading outside the page or the file, and cannot mistake it for a page of
// another kind.
bool HasGoodStructure(const char* page, const FileShape& file) {
  const PageView view(page);
  const bool branch = view.flags() == PageView::kBranch;
  if (!branch && view.flags() != PageView::kLeaf) return view.flags() == PageView::kOverflow;
  const unsigned lower = view.lower(), upper = view.upper();
  if (lower < PageView::kHeaderBytes || lower % 2 != 0 || lower > upper || upper > file.page_bytes) return false;
  for (unsigned i = 0; i < view.nodes(); ++i) {
    const unsigned offset = view.node_offset(i);
    if (offset < upper || offset % 2 != 0 || offset + NodeView::kHeaderBytes > file.page_bytes) return false;
    const NodeView node(view.node(i));
    const uint64_t room = file.page_bytes - offset - NodeView::kHeaderBytes;
    if (node.key_bytes() > room) return false;
    if (branch) {
      if (node.child() < 2 || node.child() >= file.pages) return false;
      continue;
    }
    const uint64_t value_bytes = node.is_long() ? sizeof(uint64_t) : node.value_bytes();
    if (value_bytes > room - node.key_bytes()) return false;
    if (!node.is_long()) continue;
    const uint64_t first = node.long_value_page();
    if (first < 2 || first >= file.pages) return false;
    if (PageView::kHeaderBytes + node.value_bytes() > (file.pages - first) * file.page_bytes) return false;
  }
  return view.nodes() > 0;
}

int Reject(const widerow_pages& pages, uint64_t page, const char* what) {
  OfThread().damaged = {pages.file, page, page * pages.page_bytes, what};
  return WIDEROW_PAGE_DAMAGED;
}

}  // namespace

const char* FindDamage(const char* page, const PageReference& reference, const FileShape& file) {
  const PageView view(page);
  if (view.number() != reference.page) return kNotAPage;
  const uint64_t pages = (view.flags() & PageView::kOverflow) != 0 ? view.overflow_pages() : 1;
  const bool sealed = view.sum() != 0;
  if (pages == 0 || pages > file.pages - reference.page) return sealed ? kNoMatch : kNotAPage;
  if (!sealed) {
    if (file.all_sealed || reference.tag != 0) return kNoMatch;
    return HasGoodStructure(page, file) ? nullptr : kNotAPage;
  }
  if (view.sum() != SumOf(page, pages * file.page_bytes)) return kNoMatch;
  return reference.tag == 0 || view.tag() == reference.tag ? nullptr : kOld;
}

const DamagedPage& LastDamagedPage() { return OfThread().damaged; }

std::string ToText(const DamagedPage& damaged) {
  return StrCat("'", damaged.file, "' is damaged: page ", damaged.page, " at offset ", damaged.offset, " ",
                damaged.what);
}

void ExitOnFailedAssertions(MDB_env* env) {
  mdb_env_set_assert(env, [](MDB_env*, const char* assertion) {
    const ThreadState& thread = OfThread();
    std::fprintf(stderr,
                 "widerow: the process ends, because '%s' is damaged or the program has a fault: %s; the page that was "
                 "read last is page %llu at offset %llu; `widerow check` lists the damaged pages\n",
                 thread.file == nullptr ? kDataFileName : thread.file, assertion,
                 static_cast<unsigned long long>(thread.page), static_cast<unsigned long long>(thread.offset));
    _exit(kExitDamaged);
  });
}

}  // namespace widerow::lmdb

extern "C" {

using widerow::lmdb::PageView;

int widerow_pages_open(widerow_pages* pages, const char* path, int is_file, const char* map, size_t map_bytes,
                       unsigned page_bytes) {
  const std::filesystem::path file = is_file != 0 ? path : std::filesystem::path(path) / widerow::lmdb::kDataFileName;
  const size_t bytes = map_bytes / page_bytes / 8 + 1;
  // The system gives memory only to the parts of this map that are used.
  void* bits = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) return errno;
  *pages = {static_cast<unsigned char*>(bits), bytes, strdup(file.c_str()), map, map_bytes, page_bytes};
  widerow::lmdb::WatchMap(map, map_bytes, pages->file);
  return 0;
}

void widerow_pages_close(widerow_pages* pages) {
  if (pages->checked == nullptr) return;
  widerow::lmdb::UnwatchMap(pages->map);
  munmap(pages->checked, pages->checked_bytes);
  std::free(const_cast<char*>(pages->file));
  *pages = {};
}

int widerow_page_check(widerow_pages* pages, const void* page, size_t pgno, size_t tag, size_t next_pgno,
                       int all_sealed) {
  widerow::lmdb::ThreadState& thread = widerow::lmdb::OfThread();
  thread.file = pages->file;
  thread.page = pgno;
  thread.offset = pgno * pages->page_bytes;
  const char* damage = nullptr;
  const bool read = widerow::lmdb::WithFaultsCaught([&] {
    damage = widerow::lmdb::FindDamage(static_cast<const char*>(page), {pgno, static_cast<uint16_t>(tag)},
                                       {pages->page_bytes, next_pgno, all_sealed != 0});
  });
  if (!read)
    return widerow::lmdb::Reject(*pages, pgno, "cannot be read: the disk has failed, or the file was shortened");
  if (damage != nullptr) return widerow::lmdb::Reject(*pages, pgno, damage);
  __atomic_fetch_or(&pages->checked[pgno >> 3], static_cast<unsigned char>(1u << (pgno & 7)), __ATOMIC_RELAXED);
  return 0;
}

int widerow_page_missing(widerow_pages* pages, size_t pgno) {
  return widerow::lmdb::Reject(*pages, pgno, "is needed, and the file does not have it");
}

void widerow_page_seal(widerow_pages* pages, void* page, size_t pgno, size_t bytes) {
  auto* at = static_cast<char*>(page);
  const uint32_t sum = widerow::lmdb::SumOf(at, bytes);
  std::memcpy(at + PageView::kSumAt, &sum, sizeof sum);
  __atomic_fetch_and(&pages->checked[pgno >> 3], static_cast<unsigned char>(~(1u << (pgno & 7))), __ATOMIC_RELAXED);
}

uint64_t widerow_meta_sum(const void* meta, size_t bytes, unsigned pgno) { return XXH3_64bits(meta, bytes) + pgno; }
}
