// The checks before LMDB maps a file. LMDB does not check what it maps, and a file that is too short would kill the
// process. The thread that opens the engine calls these functions once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/log.h"
#include "base/result.h"

namespace widerow::lmdb {

// Creates the directory if it does not exist, and checks that it can be used. Warns through `log` if the directory is
// on a network file system.
Status PrepareDirectory(const std::filesystem::path& directory, const LogFunction& log);

// Makes one process the owner of a data directory. It has exclusive locks on the file widerow.lock in the directory and
// on the directory itself. The file contains the process id of the owner. The lock of the directory holds even if
// somebody removes the file.
class DirectoryLock {
 public:
  static Result<DirectoryLock> Take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

  // True if MarkInitialized was ever called for the directory, which means that it has had a database.
  bool initialized() const { return initialized_; }
  Status MarkInitialized();

 private:
  DirectoryLock(int fd, int directory_fd, std::filesystem::path path, bool initialized)
      : fd_(fd), directory_fd_(directory_fd), path_(std::move(path)), initialized_(initialized) {}
  Status WriteOwner();

  int fd_;
  int directory_fd_;  // -1 if the file system cannot lock directories.
  std::filesystem::path path_;
  bool initialized_;
};

// Refuses a data.mdb that is not a file of LMDB, that is damaged at its beginning, or that is shorter than its meta
// page says. A missing or empty file is accepted only if `initialized` is false. A missing file is refused in any case
// if there is a commit log. If one of the two copies of a meta record is damaged, the other copy replaces it.
//
// Returns true if every page of the file has a checksum. Returns false if an earlier version may have written pages
// without checksums.
Result<bool> CheckDataFile(const std::filesystem::path& directory, bool initialized);

// Checks as CheckDataFile does, but changes nothing. `for_lmdb` says that LMDB will open the file. LMDB reads only the
// first copies of the meta records, so a damaged first copy is an error then. Otherwise one good copy is enough.
Result<bool> InspectDataFile(const std::filesystem::path& directory, bool for_lmdb);
// Returns the record of the meta page that this commit has written (page_layout.h, MetaView). Returns nullopt if a
// later commit has overwritten it. If `commit` has no value, returns the record of the last commit.
Result<std::optional<Bytes>> ReadMetaPage(const std::filesystem::path& directory, std::optional<uint64_t> commit);

// Removes lock.mdb, which only has the state of processes. LMDB creates it again. The caller must hold the
// DirectoryLock.
Status RemoveReaderTable(const std::filesystem::path& directory);

// Removes the permissions that earlier versions gave to the group and to others from the files of the database. Files
// of another owner are left as they are.
void MakeFilesPrivate(const std::filesystem::path& directory);

}  // namespace widerow::lmdb
