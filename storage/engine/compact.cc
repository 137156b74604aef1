#include "storage/engine/compact.h"

#include <algorithm>

#include "base/text.h"
#include "storage/engine/lmdb_engine.h"
#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/page_walk.h"

namespace widerow {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSpareBytes = 4u << 20;  // The space on the disk that must be left beside the new file.

std::string Mebibytes(uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

// Fails if the disk has no room for the new file. The pages of the new file are fuller than those of the old file, so
// it needs at most a few pages more than the old file uses.
Status CheckRoom(const fs::path& directory, uint64_t used_bytes) {
  const uint64_t needed = used_bytes + used_bytes / 64 + kSpareBytes;
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error || space.available >= needed) return OkStatus();
  return ServerError("Compacting '" + directory.string() + "' needs up to " + Mebibytes(needed) +
                         " on its disk, which has " + Mebibytes(space.available),
                     "free that much first: the new file is written beside the old one");
}

// Reads every page of the data file. Fails with a list of the damaged pages if there are any.
Status CheckPages(const fs::path& directory, const CompactionProgress& progress) {
  constexpr size_t kListedMax = 100;
  WR_ASSIGN_OR_RETURN(const lmdb::DirectoryLock lock, lmdb::DirectoryLock::Take(directory));
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool all_sealed, lmdb::CheckDataFile(directory, lock.initialized()));
  WR_ASSIGN_OR_RETURN(const lmdb::PageWalk walk,
                      lmdb::WalkPages(directory / lmdb::kDataFileName, [&](uint64_t done, uint64_t all) {
                        progress("checking pages", std::min(done, all), all);
                      }));
  if (walk.damaged.empty()) return OkStatus();
  std::string list;
  for (size_t i = 0; i < std::min(kListedMax, walk.damaged.size()); ++i) list += "\n" + ToText(walk.damaged[i]);
  return ServerError(StrCat("Nothing was changed: of ", walk.pages, " pages of the data file, ", walk.damaged.size(),
                            " are damaged", list),
                     "see to the disk and restore a backup; data on other pages can still be read by the server");
}

}  // namespace

Status CheckThereIsDatabase(const fs::path& directory) {
  std::error_code error;
  if (fs::is_regular_file(directory / lmdb::kDataFileName, error)) return OkStatus();
  Error missing = ConfigError("There is no database in '" + directory.string() + "'");
  missing.hint = "name the directory that `widerow serve --data` is given";
  return missing;
}

Result<Compaction> CompactDataDirectory(StorageOptions options, const CompactionProgress& progress) {
  const fs::path directory = options.directory;
  WR_RETURN_IF_ERROR(CheckThereIsDatabase(directory));
  options.background_sweep = false;
  options.keep_log_as_before = true;
  progress("checking pages", 0, 0);
  WR_RETURN_IF_ERROR(CheckPages(directory, progress));
  Compaction result;
  std::shared_ptr<const lmdb::DirectoryLock> lock;
  {
    progress("opening", 0, 0);
    WR_ASSIGN_OR_RETURN(const std::unique_ptr<LmdbEngine> engine, LmdbEngine::Open(std::move(options)));
    progress("sweeping", 0, 0);
    WR_RETURN_IF_ERROR(engine->SweepAll());
    WR_ASSIGN_OR_RETURN(const StorageUsage usage, engine->Usage());
    result.bytes_before = usage.pages * usage.page_bytes;
    result.free_bytes_before = usage.free_pages * usage.page_bytes;
    lock = engine->lock();
  }
  WR_RETURN_IF_ERROR(CheckRoom(directory, result.bytes_before - result.free_bytes_before));
  progress("copying", 0, 0);
  WR_ASSIGN_OR_RETURN(const lmdb::CopiedFile copied,
                      lmdb::CopyRecords(directory / lmdb::kDataFileName, directory / lmdb::kUnfinishedFileName,
                                        [&](uint64_t done, uint64_t all) { progress("copying", done, all); }));
  WR_RETURN_IF_ERROR(lmdb::ReplaceDataFile(directory));
  result.bytes_after = copied.bytes;
  result.records = copied.records;
  return result;
}

}  // namespace widerow
