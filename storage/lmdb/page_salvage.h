// Reads the records of a damaged data file, as far as its pages are whole. It also finds leaf pages below a damaged
// branch page: these are the pages that are neither free nor in the readable part of a tree.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "storage/lmdb/env.h"

namespace widerow::lmdb {

// The keys from `begin` up to `end`, or all keys from `begin` on if there is no `end`.
struct KeyRange {
  Bytes begin;
  std::optional<Bytes> end;  // Exclusive.
};

struct PageSalvage {
  uint64_t damaged_pages = 0;
  uint64_t lost_values = 0;   // Records whose long value is on a damaged page.
  uint64_t found_pages = 0;   // Leaf pages that no readable branch page leads to.
  bool catalog_whole = true;  // False if a page of the catalog is damaged: tables may be lost.
  // False if the list of free pages is damaged. Then leaf pages that no readable branch page leads to are not looked
  // for, because they cannot be distinguished from free pages.
  bool free_list_whole = true;
  // The ranges of keys of `data` in which records may be lost. No record in a range was passed to `take`. The keys that
  // a damaged page can have are one range. Found pages with keys in this range divide it: a part ends at the first key
  // of a found page, and the next part begins after the last key of that page. The key of a record whose long value is
  // lost is a range of its own.
  std::vector<KeyRange> lost;
};

// Passes the records of `data` and then those of `meta` to `take`, both in the order of their keys, each key once. The
// argument `meta` is the meta record of the state to read (page_layout.h, MetaView). Nobody may write to the file.
// Fails if the file cannot be read at all, or with the error of `take`.
Result<PageSalvage> SalvageRecords(const std::filesystem::path& file, ByteView meta,
                                   const std::function<Status(Db db, ByteView key, ByteView value)>& take);

}  // namespace widerow::lmdb
