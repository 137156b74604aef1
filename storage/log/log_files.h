// The file system as the commit log uses it, and the real one. Tests replace it by one that loses power. Functions
// return the system's error code; an empty one is success. Any thread may call; calls on one file may overlap.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/bytes.h"

namespace widerow {

// An open file. The destructor closes it.
class LogFile {
 public:
  virtual ~LogFile() = default;
  // Writes all of `bytes` at `offset`. After an error any part of them may have been written.
  virtual std::error_code Write(uint64_t offset, ByteView bytes) = 0;
  // Reads `size` bytes at `offset`; fewer only at the end of the file.
  virtual std::error_code Read(uint64_t offset, size_t size, Bytes& out) = 0;
  // On success everything written before the call is durable. After an error nothing is known about any of this data,
  // and the call must not be tried again: the system may have dropped the data that it could not write, and would
  // report success.
  virtual std::error_code DataSync() = 0;
  // Waits until `size` bytes at `offset` have left the page cache. This makes nothing durable. But a later DataSync has
  // little left to do, and other files' syncs need not wait behind it. After an error the same holds as for DataSync.
  virtual std::error_code WriteBack(uint64_t offset, uint64_t size) = 0;
  virtual std::error_code Size(uint64_t& bytes) = 0;
};

class LogFiles {
 public:
  virtual ~LogFiles() = default;
  // Makes the directory if it does not exist. Sets `created` to true if it has made the directory.
  virtual std::error_code MakeDirectory(const std::filesystem::path& directory, bool& created) = 0;
  // Returns the names in the directory, in no order.
  virtual std::error_code List(const std::filesystem::path& directory, std::vector<std::string>& names) = 0;
  // Opens a file for reading and writing. With `create` the file must not exist, else it must.
  virtual std::error_code Open(const std::filesystem::path& file, bool create, std::unique_ptr<LogFile>& out) = 0;
  virtual std::error_code Remove(const std::filesystem::path& file) = 0;
  // Makes names that were created in the directory durable.
  virtual std::error_code SyncDirectory(const std::filesystem::path& directory) = 0;
};

// The real file system.
LogFiles& PosixLogFiles();

// True if the disk is full: nothing is broken, and writes can continue when room is available.
bool IsDiskFull(std::error_code error);
// True if the process or the system has no file descriptor left. Only opening a file fails in this way, so nothing is
// broken, and the file can be opened later.
bool NeedsDescriptors(std::error_code error);

}  // namespace widerow
