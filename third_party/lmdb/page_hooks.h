/* What mdb.c calls to seal and to check pages. storage/lmdb/page_checks.cc has the functions, and page_checks.h says
 * how pages are checked. This file and the places marked WIDEROW in mdb.c are Widerow's. */
#ifndef WIDEROW_PAGE_HOOKS_H
#define WIDEROW_PAGE_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* mm_version of a file whose pages have checksums. LMDB's own files have version 1. */
#define WIDEROW_DATA_VERSION 257

/* What a page check returns for a damaged page; none of LMDB's codes. */
#define WIDEROW_PAGE_DAMAGED (-30700)

/* The pages of one environment. */
struct widerow_pages {
  unsigned char* checked; /* One bit for each page: it has been checked and not been written after that. */
  size_t checked_bytes;
  const char* file;
  const char* map;
  size_t map_bytes;
  unsigned page_bytes;
};

/* Begins with no page checked. Returns 0 or an error of the system. */
int widerow_pages_open(struct widerow_pages* pages, const char* path, int is_file, const char* map, size_t map_bytes,
                       unsigned page_bytes);
/* Does nothing if `pages` is not open. */
void widerow_pages_close(struct widerow_pages* pages);

static inline int widerow_page_is_checked(const struct widerow_pages* pages, size_t pgno) {
  return (__atomic_load_n(&pages->checked[pgno >> 3], __ATOMIC_RELAXED) >> (pgno & 7)) & 1;
}
/* Checks a page of the map. `tag`: what its header must have, or 0. Pages from `next_pgno` on do not exist.
 * `all_sealed`: every page has a checksum. */
int widerow_page_check(struct widerow_pages* pages, const void* page, size_t pgno, size_t tag, size_t next_pgno,
                       int all_sealed);
/* Notes that a page is needed which the file does not have. Returns WIDEROW_PAGE_DAMAGED. */
int widerow_page_missing(struct widerow_pages* pages, size_t pgno);
/* Puts the checksum into a page that is about to be written. `bytes`: its length, several pages for a long value. */
void widerow_page_seal(struct widerow_pages* pages, void* page, size_t pgno, size_t bytes);
/* Returns the checksum of a meta record. */
uint64_t widerow_meta_sum(const void* meta, size_t bytes, unsigned pgno);

#ifdef __cplusplus
}
#endif

#endif
