// The progress of an import, kept in a small file beside the CSV file, so that COPY … WITH RESUME=TRUE can continue
// after Ctrl-C, kill -9 or a power cut. It is saved only when every counted row is in the table or in the error file,
// so it never claims too much. Each save writes a new file, syncs it and renames it. The file is removed when the
// import is complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace widerow {

// The source and the target of an import. An import of another source or target cannot continue from the checkpoint.
struct ImportIdentity {
  std::string table, table_id;  // ks.t, and an id that distinguishes it from later tables of this name.
  std::string statement;        // A digest of the conversion of records to rows: columns, format, NULL, SET, SKIPROWS.
  uint64_t file_bytes = 0;
  int64_t modified_nanos = 0;
  bool operator==(const ImportIdentity&) const = default;
};

struct ImportCheckpoint {
  ImportIdentity identity;
  // The place after the last row that is finished.
  uint64_t rows = 0, bytes = 0, line = 1;  // Data rows (SKIPROWS included), bytes, and the number of the next line.
  std::string digest;                      // Covers the file's beginning and the content before `bytes`.
  uint64_t rows_in = 0;                    // The number of rows stored in the table.
  uint64_t bad_rows = 0, error_file_bytes = 0;
  std::string first_bad;  // A description of the first bad row.
};

// Returns a digest of the file's first 64 KiB and of the 64 KiB before `bytes`. kServerError if the file cannot be
// read.
Result<std::string> DigestOfSource(const std::string& file, uint64_t bytes);
std::string DigestOfText(std::string_view text);

// Writes the file, which is durable on return. kServerError on failure.
Status WriteCheckpoint(const std::string& file, const ImportCheckpoint& checkpoint);
// Returns nullopt if there is no such file. kInvalid if WriteCheckpoint did not write it.
Result<std::optional<ImportCheckpoint>> ReadCheckpoint(const std::string& file);
// Removes the file durably. OK if it does not exist.
Status RemoveCheckpoint(const std::string& file);
// Checks that `checkpoint` is of an import like `now`: of the same, unchanged file, with the same conversion, into the
// same table. kInvalid with the reason if not.
Status CheckResumable(const ImportCheckpoint& checkpoint, const ImportIdentity& now, const std::string& source_file);

}  // namespace widerow
