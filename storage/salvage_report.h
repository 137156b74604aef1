// The result of a salvage, which makes a new data directory from the readable part of a damaged one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "types/schema.h"

namespace widerow {

// The name of the file with the text of the report, in the new directory.
inline constexpr const char* kSalvageTextName = "salvage.txt";

// The table and the key of a row or of a partition.
struct SalvagedPlace {
  TablePtr table;       // Null: the table does not exist any more.
  Bytes partition_key;  // In stored form.
  bool has_row = false;
  Bytes clustering;  // Encoded; used if has_row is true.
};

struct PartialRow {
  enum class Lack : uint8_t {
    kColumns,   // The row's record is lost, and the log has writes of some columns.
    kElements,  // Elements of the row's collections may be lost.
    kStatics,   // The partition's static columns may be lost.
  };
  SalvagedPlace place;
  Lack lack = Lack::kColumns;
};

// Records after the place `after` and before the place `before` may be lost. Without `after` the range begins at the
// beginning of the data file. Without `before` it goes to the end.
struct LostRange {
  std::optional<SalvagedPlace> after, before;
};

struct SalvageReport {
  uint64_t records = 0;        // Records that were kept.
  uint64_t damaged_pages = 0;  // Pages that could not be read.
  uint64_t found_pages = 0;    // Leaf pages that were found although no readable branch page leads to them.
  uint64_t lost_records = 0;   // Records with a wrong checksum, or whose value is on a damaged page.
  uint64_t removed = 0;        // Undamaged records that were removed, because a record that they need is lost.
  uint64_t groups = 0;         // Groups of the commit log that were replayed.
  std::vector<std::string> notes;
  std::vector<LostRange> lost_ranges;
  // The rows that may lack values that were written up to the time `newest_micros`, in the order of tables and keys. If
  // `newest_micros` is absent, because this time is lost, more rows are listed.
  std::vector<PartialRow> partial_rows;
  std::optional<int64_t> newest_micros;
};

}  // namespace widerow
