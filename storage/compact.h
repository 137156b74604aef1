// `widerow compact`: the data file written anew without its free pages. Offline: the directory is this process's own meanwhile.
#pragma once

#include <functional>

#include "storage/engine.h"

namespace widerow {

struct Compaction {
  uint64_t bytes_before = 0, bytes_after = 0;  // Of data.mdb, after what the log held has come into it.
  uint64_t free_bytes_before = 0;              // Of bytes_before.
  uint64_t records = 0;
};

// What is being done; `done` of `all` records while they are copied, else 0 of 0.
using CompactionProgress = std::function<void(const std::string& doing, uint64_t done, uint64_t all)>;

// Folds what the commit log holds, sweeps what deletions and dropped tables have left, then writes the records to a second file
// that takes the first one's place. Cut short at any point, by a kill or a power cut, it leaves the one file or the other, whole;
// the next open removes an unfinished one. Errors, with the data as it was: no database in the directory; it is in use;
// not enough room on the disk for both files; what opening and writing can meet.
Result<Compaction> CompactDataDirectory(StorageOptions options, const CompactionProgress& progress);

}  // namespace widerow
