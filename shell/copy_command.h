// COPY [keyspace.]table [(a, b, -, c)] FROM 'file' | STDIN [WITH option = value AND …]
// COPY [keyspace.]table [(a, b)] TO 'file' | STDOUT [WITH …]
//
// The command parsed into a plain struct. An option of FROM is refused in COPY TO, and the other way round.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "shell/csv.h"

namespace widerow {

struct CopyCommand {
  enum class Direction : uint8_t { kFrom, kTo };
  // SET = {'bucket': 'bucket(:time_hour, 16)'}: a column computed by an expression over CSV fields.
  struct Computed {
    std::string column, expression;
  };

  Direction direction = Direction::kFrom;
  std::string keyspace, table;                      // `keyspace` is empty for the current keyspace.
  std::vector<std::optional<std::string>> columns;  // Empty: not given. nullopt: "-", a field to skip (FROM only).
  std::string file;                                 // Empty: STDIN or STDOUT.

  bool header = false;
  CsvFormat csv;
  std::string null_text;
  uint64_t max_rows = UINT64_MAX;

  // Options of FROM.
  unsigned workers = 0;              // 0: one per core.
  uint32_t chunk_rows = 500;         // Rows per batch.
  uint64_t max_errors = UINT64_MAX;  // The import stops at more bad rows than this.
  std::string error_file;            // Empty: FILE.err.
  bool resume = false;               // True if the import continues where an earlier one stopped.
  std::string progress_file;         // Empty: FILE.progress.
  uint64_t skip_rows = 0;
  uint64_t store_rows = UINT64_MAX;  // The rows are stored and the progress is saved each time after this many rows.
  bool ignore_unknown = false;
  std::vector<Computed> computed;

  // Options of TO.
  uint32_t page_rows = 5'000;
};

// Parses the command. kSyntaxError with a range into `text`.
Result<CopyCommand> ParseCopy(std::string_view text);

}  // namespace widerow
