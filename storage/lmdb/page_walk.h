// Reads every page that a data file uses, and finds all damaged pages. This is the first step of `widerow compact`.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "storage/lmdb/page_checks.h"

namespace widerow::lmdb {

struct PageWalk {
  uint64_t pages = 0;     // Pages that were read.
  uint64_t unsealed = 0;  // Pages without a checksum among these; an earlier version has written them.
  // The damaged pages. Pages that only a damaged page refers to are not found.
  std::vector<DamagedPage> damaged;
};

// Walks through all trees of the file. CheckDataFile must have accepted its meta pages, and nobody may have the file
// open. `progress` receives the number of pages read so far, and the number of all pages, used or free. Fails only if
// the file cannot be read at all.
Result<PageWalk> WalkPages(const std::filesystem::path& file, const std::function<void(uint64_t, uint64_t)>& progress);

// Walks through the trees of one state of the file, whose meta record (page_layout.h, MetaView) is `meta`. Another
// process may write to the file, if a read transaction keeps the pages of this state.
Result<PageWalk> WalkPagesOf(const std::filesystem::path& file, ByteView meta,
                             const std::function<void(uint64_t, uint64_t)>& progress);

}  // namespace widerow::lmdb
