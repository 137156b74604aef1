// Files with groups of the commit log. A file begins with a header of 64 bytes:
//     WRGROUPS; format version u32 = 1; 0 u32; database's id; history's id, or zeros; sequence number after which the
//     groups begin u64; checksum of these 56 bytes u64
// The groups follow (group_codec.h). Used by one thread at a time.
#pragma once

#include "storage/backup.h"
#include "storage/backup/durable_file.h"
#include "storage/backup/group_codec.h"
#include "storage/backup/manifest.h"

namespace widerow {

Bytes EncodeGroupFileHeader(const Uuid& database, const std::optional<Uuid>& history, uint64_t after);

class GroupFileReader {
 public:
  // Opens a file of a backup and checks its header.
  static Result<GroupFileReader> Open(const std::filesystem::path& directory, const Manifest& manifest,
                                      const BackupLog& log);
  // Returns the next group; it is valid until the next call. Returns false at the end of the file. Errors: the file is
  // damaged, or ends in the middle of a group.
  Result<bool> Next(LogGroup& group);

 private:
  GroupFileReader(std::filesystem::path path, std::unique_ptr<SequentialFile> file, uint64_t after)
      : path_(std::move(path)), file_(std::move(file)), sequence_(after) {}
  Error Damaged(const std::string& what) const;

  std::filesystem::path path_;
  std::unique_ptr<SequentialFile> file_;
  uint64_t sequence_;    // The sequence number of the last group that was read.
  uint64_t offset_ = 0;  // The place of the next group in the file.
  Bytes header_, body_;
};

}  // namespace widerow
