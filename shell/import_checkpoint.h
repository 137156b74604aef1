// How far an import has come, kept in a small file beside the CSV file, so that COPY … WITH RESUME=TRUE goes on there after Ctrl-C,
// kill -9 or a power cut. Written anew, synced and renamed each time, and only when every row that it counts is in the table (or in
// the error file), so it never says too much. Removed when the import is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace widerow {

// What an import reads and where to: going on with another is refused.
struct ImportIdentity {
  std::string table, table_id;  // ks.t, and what tells it from a later one of that name.
  std::string statement;        // A digest of what makes a record a row: columns, format, NULL, SET, SKIPROWS.
  uint64_t file_bytes = 0;
  int64_t modified_nanos = 0;
  bool operator==(const ImportIdentity&) const = default;
};

struct ImportCheckpoint {
  ImportIdentity identity;
  // Behind the last row that is done with.
  uint64_t rows = 0, bytes = 0, line = 1;  // Data rows of the file, those of SKIPROWS too; bytes; the line that is next.
  std::string digest;                      // Of the file's beginning and of what stands before `bytes`.
  uint64_t rows_in = 0;                    // That the table took.
  uint64_t bad_rows = 0, error_file_bytes = 0;
  std::string first_bad;  // In words.
};

// Of 64 KiB at the file's beginning and the 64 KiB before `bytes`. kServerError if it cannot be read.
Result<std::string> DigestOfSource(const std::string& file, uint64_t bytes);
std::string DigestOfText(std::string_view text);

// Durable on return. kServerError if it cannot be.
Status WriteCheckpoint(const std::string& file, const ImportCheckpoint& checkpoint);
// nullopt: there is no such file. kInvalid if it is not one of WriteCheckpoint's.
Result<std::optional<ImportCheckpoint>> ReadCheckpoint(const std::string& file);
// Durably. OK if it is not there.
Status RemoveCheckpoint(const std::string& file);
// kInvalid, in words, unless the import that `checkpoint` tells of was of this file, as it still is, into this table.
Status CheckResumable(const ImportCheckpoint& checkpoint, const ImportIdentity& now, const std::string& source_file);

}  // namespace widerow
