// The functions of the file system that the commit log uses. PosixLogFiles() is the real file system; tests use a
// simulated one, with power cuts. The functions return the error code of the system, which is empty on success. Any
// thread may call them. Calls on one file may overlap.
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
  // On success everything written before the call is durable. After an error, nothing is known about this data, and the
  // call must not be repeated: the system may have dropped data that it could not write, and would then report success.
  virtual std::error_code DataSync() = 0;
  // Waits until `size` bytes at `offset` have been sent from the page cache to the disk. This makes nothing durable,
  // but a later DataSync has little left to do, and syncs of other files need not wait for these bytes. What is said
  // about an error of DataSync is also true of an error of WriteBack.
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
  // Opens a file for reading and writing. If `create` is set, the file must not exist; otherwise it must exist.
  virtual std::error_code Open(const std::filesystem::path& file, bool create, std::unique_ptr<LogFile>& out) = 0;
  virtual std::error_code Remove(const std::filesystem::path& file) = 0;
  // Makes the names of files that were created in the directory durable.
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
