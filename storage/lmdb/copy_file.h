// A data file written anew: the same records, no free pages.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"

namespace widerow::lmdb {

struct CopiedFile {
  uint64_t records = 0;
  uint64_t bytes = 0;  // The new file's.
};

// Writes all records of the data file `from` to `to`, in the order of their keys, into pages that are filled to their end. On
// return the new file is on the disk (its name may not be), has been read back, and holds as many records. `from` is not
// changed; no other environment may have it open for writing. `to` must not exist; after an error it does not. `progress`:
// records so far and of all.
Result<CopiedFile> CopyRecords(const std::filesystem::path& from, const std::filesystem::path& to,
                               const std::function<void(uint64_t, uint64_t)>& progress);

// The file of this name, under which data files are written before they are complete, is removed if it is there.
Status RemoveUnfinishedFile(const std::filesystem::path& directory);
// `data.mdb.new` becomes `data.mdb`, durable on return. A power cut leaves one of the two under that name.
Status ReplaceDataFile(const std::filesystem::path& directory);

inline constexpr const char* kDataFileName = "data.mdb";
inline constexpr const char* kUnfinishedFileName = "data.mdb.new";

}  // namespace widerow::lmdb
