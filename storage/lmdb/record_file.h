// Writes a data file from records that come in order: the file of a backup, or of a salvaged database. Its pages are
// full, and all have checksums. Used by one thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "storage/lmdb/copy_file.h"
#include "storage/lmdb/env.h"

namespace widerow::lmdb {

class RecordFile {
 public:
  // `path` must not exist. The file is complete after Finish. Without Finish, the destructor leaves an incomplete file.
  static Result<std::unique_ptr<RecordFile>> Create(const std::filesystem::path& path);
  ~RecordFile();

  // Appends a record. The records of one database come in the order of their keys, each key once.
  Status Append(Db db, ByteView key, ByteView value);
  // Makes the file durable and reads it back. The name of the file may not be durable yet.
  Result<CopiedFile> Finish();

 private:
  struct State;
  explicit RecordFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Passes the records of one database of a data file to `take`, in the order of their keys. Nobody may have the file
// open for writing. Errors: those of `take`; the file cannot be read; a page is damaged.
Status ForEachRecord(const std::filesystem::path& path, Db db,
                     const std::function<Status(ByteView key, ByteView value)>& take);

}  // namespace widerow::lmdb
