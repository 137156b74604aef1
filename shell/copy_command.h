// COPY [keyspace.]table [(a, b, -, c)] FROM 'file' | STDIN [WITH option = value AND …]
// COPY [keyspace.]table [(a, b)] TO 'file' | STDOUT [WITH …]
// Parsed into a plain struct; an option that does not exist, or not in this direction, is refused.
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
  // SET = {'bucket': 'bucket(:time_hour, 16)'}: a column filled by an expression over CSV fields.
  struct Computed {
    std::string column, expression;
  };

  Direction direction = Direction::kFrom;
  std::string keyspace, table;                      // keyspace empty: the current one.
  std::vector<std::optional<std::string>> columns;  // Empty: none given. nullopt: "-", a field to skip (FROM only).
  std::string file;                                 // Empty: STDIN or STDOUT.

  bool header = false;
  CsvFormat csv;
  std::string null_text;
  uint64_t max_rows = UINT64_MAX;

  // FROM
  unsigned workers = 0;              // 0: one a core.
  uint32_t chunk_rows = 500;         // Rows a batch.
  uint64_t max_errors = UINT64_MAX;  // Bad rows that are too many.
  std::string error_file;            // Empty: FILE.err.
  bool resume = false;               // Go on where an earlier import of this file stopped.
  std::string progress_file;         // Empty: FILE.progress.
  uint64_t skip_rows = 0;
  uint64_t store_rows = UINT64_MAX;  // Rows that are read at most before they are stored and the progress is kept.
  bool ignore_unknown = false;
  std::vector<Computed> computed;

  // TO
  uint32_t page_rows = 5'000;
};

// kSyntaxError with a range into `text`.
Result<CopyCommand> ParseCopy(std::string_view text);

}  // namespace widerow
