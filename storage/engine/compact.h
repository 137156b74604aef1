// `widerow compact` writes the data file anew, without its free pages. This process holds the lock of the directory, so
// no server can use it at the same time.
#pragma once

#include <functional>

#include "storage/storage_engine.h"

namespace widerow {

struct Compaction {
  // The size of data.mdb before and after. The log is folded first, so `bytes_before` includes its content.
  uint64_t bytes_before = 0, bytes_after = 0;
  uint64_t free_bytes_before = 0;  // The part of bytes_before that was free pages.
  uint64_t records = 0;
};

// Reports progress. `doing` is the current step. In a step that checks pages or copies records, `done` of `all` pages
// or records are finished. In all other steps both numbers are 0.
using CompactionProgress = std::function<void(const std::string& doing, uint64_t done, uint64_t all)>;

// Fails if the directory has no data file.
Status CheckThereIsDatabase(const std::filesystem::path& directory);

// Compacts a data directory in these steps: checks all pages of the data file, folds the commit log, sweeps what
// deletions and dropped tables have left, copies the records to a second file, and replaces the data file with it. If
// the process is killed or the power fails at any point, the directory has the complete old file or the complete new
// file. The next open removes a new file that is not complete.
//
// Errors: the directory has no database or is in use; pages are damaged (the error names them); the disk has no room
// for both files; opening or writing fails. After an error the data is unchanged.
Result<Compaction> CompactDataDirectory(StorageOptions options, const CompactionProgress& progress);

}  // namespace widerow
