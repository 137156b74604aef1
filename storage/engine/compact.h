// `widerow compact`: writes the data file anew without its free pages. Offline: this process holds the directory's lock
// meanwhile.
#pragma once

#include <functional>

#include "storage/storage_engine.h"

namespace widerow {

struct Compaction {
  // The size of data.mdb. `bytes_before` includes the content of the log, which is folded first.
  uint64_t bytes_before = 0, bytes_after = 0;
  uint64_t free_bytes_before = 0;  // Part of bytes_before.
  uint64_t records = 0;
};

// `doing` is the current step. `done` of `all` records have been copied; both are 0 before the copying begins.
using CompactionProgress = std::function<void(const std::string& doing, uint64_t done, uint64_t all)>;

// Checks all pages of the data file, folds the content of the commit log, sweeps the data that deletions and dropped
// tables have left, then writes the records to a second file, which replaces the first one. After a kill or power cut
// at any point one of the two files is there, complete; the next open removes an unfinished one. Errors, after which
// the data is unchanged: no database in the directory; the directory is in use; damaged pages, all of which the error
// names; not enough room on the disk for both files; errors of opening and writing.
Result<Compaction> CompactDataDirectory(StorageOptions options, const CompactionProgress& progress);

}  // namespace widerow
