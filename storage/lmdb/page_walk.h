// Reads every page that a data file uses, and finds all that are damaged. `widerow compact` does this first.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "base/result.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {

struct PageWalk {
  uint64_t pages = 0;     // Pages that were read.
  uint64_t unsealed = 0;  // Of these, pages without a checksum: an earlier version has written them.
  // Pages below a damaged page cannot be found.
  std::vector<DamagedPage> damaged;
};

// Walks all trees of the file, whose meta pages CheckDataFile has accepted and which nobody may have open. `progress`
// receives the number of pages read so far and of all pages, used or free. Errors: the file cannot be read at all.
Result<PageWalk> WalkPages(const std::filesystem::path& file, const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace widerow::lmdb
