// Writes a data file anew: the same records without free pages. `widerow compact` uses all of it. Opening a directory
// uses everything but CopyRecords.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"

namespace widerow::lmdb {

struct CopiedFile {
  uint64_t records = 0;
  uint64_t bytes = 0;  // The size of the new file.
};

// Writes all records of the data file `from` to `to`, in the order of their keys, into full pages. On return the
// content of the new file is durable (its name may not be), has been read back, and has the same number of records.
// Does not change `from`, which no other environment may have open for writing. `to` must not exist; after an error it
// does not exist. `progress` receives the number of records copied so far and of all.
Result<CopiedFile> CopyRecords(const std::filesystem::path& from, const std::filesystem::path& to,
                               const std::function<void(uint64_t, uint64_t)>& progress);

// Removes data.mdb.new, the name of data files that are not complete, if it exists.
Status RemoveUnfinishedFile(const std::filesystem::path& directory);
// Renames data.mdb.new to data.mdb: durable on return. After a power cut data.mdb is one of the two files.
Status ReplaceDataFile(const std::filesystem::path& directory);

inline constexpr const char* kDataFileName = "data.mdb";
inline constexpr const char* kLogDirectoryName = "log";
// Only the owner may read what the database stores.
inline constexpr mode_t kPrivateFileMode = 0600, kPrivateDirectoryMode = 0700;
inline constexpr const char* kUnfinishedFileName = "data.mdb.new";

}  // namespace widerow::lmdb
