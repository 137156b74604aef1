// The rows that an import could not store. They are counted and written to an error file that can be corrected and
// imported again. The file is CSV: _line, _column and _reason, then the row as it was in the imported file. If the
// imported file has a header, the error file has one too, and it can be imported by COPY t FROM 'FILE.err' WITH
// HEADER=TRUE AND IGNOREUNKNOWN=TRUE.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <fstream>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"
#include "shell/csv.h"

namespace widerow {

struct BadRow {
  uint64_t line = 0;
  std::string_view column;  // Empty if the error is about the whole row.
  std::string_view reason;
  std::string_view raw;
};

class BadRows {
 public:
  // The first bad row creates (or empties) the file. `header`: the first line of the imported file; empty if that file
  // has no header.
  BadRows(std::string file, CsvFormat format, std::string header, uint64_t max);

  // Continues the file of an earlier import, which has `count` rows in `bytes` bytes; `first` describes the first of
  // these rows. Content after these bytes is cut off, because its rows will be imported and reported again. Must be
  // called before the first Add.
  Status GoOn(uint64_t count, uint64_t bytes, std::string first) WR_EXCLUDES(mutex_);
  // Reports a row. kServerError if the file cannot be written, or if there are more bad rows than allowed.
  Status Add(const BadRow& row) WR_EXCLUDES(mutex_);
  uint64_t count() const { return count_.load(); }
  // Describes the first bad row: "line 17, column dep_time: …".
  std::string first() const WR_EXCLUDES(mutex_);
  const std::string& file() const { return file_; }
  // Makes the added rows durable. Returns the size of the file; 0 if there is no file.
  Result<uint64_t> Sync() WR_EXCLUDES(mutex_);
  Status Close() WR_EXCLUDES(mutex_);

 private:
  Status Open() WR_REQUIRES(mutex_);
  Error WriteFailure() const;

  const std::string file_;
  const CsvFormat format_;
  const std::string header_;
  const uint64_t max_;
  std::atomic<uint64_t> count_{0};
  mutable Mutex mutex_;
  uint64_t bytes_before_ WR_GUARDED_BY(mutex_) = 0;  // Size of the file that an earlier import wrote.
  std::ofstream out_ WR_GUARDED_BY(mutex_);
  std::string first_ WR_GUARDED_BY(mutex_);
};

}  // namespace widerow
