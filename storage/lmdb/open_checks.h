// What is looked at before LMDB may map a file: LMDB trusts what it maps, and a file that is too short kills the
// process.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace widerow::lmdb {

// Creates the directory if absent and checks that it can be used. Warns through `log` of network file systems.
Status PrepareDirectory(const std::filesystem::path& directory, const std::function<void(const std::string&)>& log);

// One process at a time owns a data directory: an exclusive lock on widerow.lock in it, with the owner's process id
// inside.
class DirectoryLock {
 public:
  static Result<DirectoryLock> Take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

  // Whether this directory has held a database before. MarkInitialized makes it so.
  bool initialized() const { return initialized_; }
  Status MarkInitialized();

 private:
  DirectoryLock(int fd, std::filesystem::path path, bool initialized)
      : fd_(fd), path_(std::move(path)), initialized_(initialized) {}
  Status WriteOwner();

  int fd_;
  std::filesystem::path path_;
  bool initialized_;
};

// Refuses a data.mdb that is not LMDB's, is damaged where it begins, or is shorter than it says it is.
// Fine if there is none yet, unless `initialized`.
Status CheckDataFile(const std::filesystem::path& directory, bool initialized);

// lock.mdb holds nothing but process state; a stale or foreign one is replaced. Only with the DirectoryLock held.
Status RemoveReaderTable(const std::filesystem::path& directory);

}  // namespace widerow::lmdb
