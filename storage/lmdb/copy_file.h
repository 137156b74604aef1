// Writes a data file anew, with the same records and without free pages. `widerow compact` uses these functions.
// Opening a directory uses all of them but CopyRecords.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"

namespace widerow::lmdb {

struct CopiedFile {
  uint64_t records = 0;
  uint64_t bytes = 0;  // The size of the new file.
};

// Writes all records of the data file `from` to the new file `to`, in the order of their keys, into full pages. On
// return the content of the new file is durable, has been read back, and has the same number of records. The name of
// the file may not be durable yet.
//
// Does not change `from`, which no other environment may have open for writing. `to` must not exist; if the function
// fails, it does not exist afterwards. `progress` receives the number of records copied so far and the number of all
// records.
Result<CopiedFile> CopyRecords(const std::filesystem::path& from, const std::filesystem::path& to,
                               const std::function<void(uint64_t, uint64_t)>& progress);

// Removes data.mdb.new if it exists. A data file has this name until it is complete.
Status RemoveUnfinishedFile(const std::filesystem::path& directory);
// Renames data.mdb.new to data.mdb; durable on return. If the power fails meanwhile, data.mdb is the old file or the
// new one.
Status ReplaceDataFile(const std::filesystem::path& directory);

inline constexpr const char* kDataFileName = "data.mdb";
inline constexpr const char* kLogDirectoryName = "log";
// Files and directories of the database are readable by their owner only.
inline constexpr mode_t kPrivateFileMode = 0600, kPrivateDirectoryMode = 0700;
inline constexpr const char* kUnfinishedFileName = "data.mdb.new";

}  // namespace widerow::lmdb
