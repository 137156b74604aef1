// What the commit log asks of a file system, and the real one. Tests put another in its place, one that loses power.
// A call answers the system's error code; an empty one is success. Any thread may call; calls on one file may overlap.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/bytes.h"

namespace widerow {

// An open file; closed when it goes.
class LogFile {
 public:
  virtual ~LogFile() = default;
  // All of `bytes` at `offset`. After an error any part of them may have been written.
  virtual std::error_code Write(uint64_t offset, ByteView bytes) = 0;
  // `size` bytes at `offset`; fewer only at the end of the file.
  virtual std::error_code Read(uint64_t offset, size_t size, Bytes& out) = 0;
  // Everything written before is durable once this has answered. After an error nothing is known of any of it, and it
  // may not be tried again: the system may have dropped what it could not write, and would say that all is well.
  virtual std::error_code DataSync() = 0;
  // Waits until `size` bytes at `offset` have left the page cache; nothing is durable by that. So that a later DataSync
  // has little left to do, and others' syncs need not queue behind it. After an error the same holds as of DataSync.
  virtual std::error_code WriteBack(uint64_t offset, uint64_t size) = 0;
  virtual std::error_code Size(uint64_t& bytes) = 0;
};

class LogFiles {
 public:
  virtual ~LogFiles() = default;
  // True in `created` if it was not there.
  virtual std::error_code MakeDirectory(const std::filesystem::path& directory, bool& created) = 0;
  // The names in the directory, in no order.
  virtual std::error_code List(const std::filesystem::path& directory, std::vector<std::string>& names) = 0;
  // Reading and writing. With `create` the file must not be there, else it must.
  virtual std::error_code Open(const std::filesystem::path& file, bool create, std::unique_ptr<LogFile>& out) = 0;
  virtual std::error_code Remove(const std::filesystem::path& file) = 0;
  // Makes names that were created in the directory durable.
  virtual std::error_code SyncDirectory(const std::filesystem::path& directory) = 0;
};

// The machine's.
LogFiles& PosixLogFiles();

// No room for more: nothing is broken, and writing may go on once there is.
bool IsDiskFull(std::error_code error);

}  // namespace widerow
