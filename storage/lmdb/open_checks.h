// The checks before LMDB maps a file. LMDB does not check what it maps, and a file that is too short kills the process.
// Called once, by the thread that opens the engine.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace widerow::lmdb {

// Creates the directory if absent and checks that it can be used. Warns through `log` if it is on a network file
// system.
Status PrepareDirectory(const std::filesystem::path& directory, const std::function<void(const std::string&)>& log);

// Makes one process the owner of a data directory, by exclusive locks on widerow.lock in it and on the directory
// itself. The file names the owner's process id. The directory's lock holds if somebody removes the file.
class DirectoryLock {
 public:
  static Result<DirectoryLock> Take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

  // True if the directory has held a database before, that is after MarkInitialized.
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

// Refuses a data.mdb that is not LMDB's, is damaged at its beginning, or is shorter than it says. A missing or empty
// file is accepted unless `initialized`; a missing one is also refused if there is a commit log. If one of the two
// copies of a meta record is damaged, the other one replaces it. Returns false if the file may have pages without
// checksums, because an earlier version has written them.
Result<bool> CheckDataFile(const std::filesystem::path& directory, bool initialized);

// Removes lock.mdb, which holds process state only; LMDB makes it again. Call it only with the DirectoryLock held.
Status RemoveReaderTable(const std::filesystem::path& directory);

// Takes the permissions of the group and of others from the database's own files in the directory, which earlier
// versions gave. Files of another owner are left as they are.
void MakeFilesPrivate(const std::filesystem::path& directory);

}  // namespace widerow::lmdb
