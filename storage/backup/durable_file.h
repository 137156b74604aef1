// Writes the files of backups so that they are durable, and reads them with their checksums.
#pragma once

#include <filesystem>
#include <memory>

#include "base/bytes.h"
#include "base/result.h"

namespace widerow {

// Makes the error of a failed call. `doing` completes "Cannot … 'path'".
Error FileError(const std::string& doing, const std::filesystem::path& path, int code);
Status SyncDirectory(const std::filesystem::path& directory);
Status MakePrivateDirectory(const std::filesystem::path& directory);

// A new file that is written from its beginning to its end. Used by one thread at a time.
class DurableFile {
 public:
  // The file must not exist.
  static Result<std::unique_ptr<DurableFile>> Create(const std::filesystem::path& path);
  ~DurableFile();

  Status Append(ByteView bytes);
  // Makes the file and its name durable.
  Status Finish();
  uint64_t bytes() const { return bytes_; }
  uint64_t checksum() const;  // XXH3 of all bytes so far.

 private:
  struct Hash;
  DurableFile(std::filesystem::path path, int fd);

  const std::filesystem::path path_;
  int fd_;
  uint64_t bytes_ = 0;
  std::unique_ptr<Hash> hash_;
};

// Reads a file from its beginning. Used by one thread at a time.
class SequentialFile {
 public:
  static Result<std::unique_ptr<SequentialFile>> Open(const std::filesystem::path& path);
  ~SequentialFile();

  // Replaces `out` by the next `size` bytes; fewer only at the end of the file.
  Status Read(size_t size, Bytes& out);

 private:
  SequentialFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  const std::filesystem::path path_;
  int fd_;
};

// Reads the whole file; sets its size and its XXH3 checksum.
Status MeasureFile(const std::filesystem::path& path, uint64_t& bytes, uint64_t& checksum);
// Copies a file; durable on return. `to` must not exist.
Status CopyFileDurably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace widerow
