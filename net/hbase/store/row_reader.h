// Reads the stored versions of rows: one row, or the rows of a range in order. Thread-safe.
#pragma once

#include "net/hbase/store/database.h"
#include "net/hbase/store/read_spec.h"

namespace widerow::hbase {

// The rows from `start` to `stop`. If `reversed`, the order is descending and `start` is the greater bound.
struct RowRangeSpec {
  Bytes start, stop;  // Empty: no bound.
  bool start_inclusive = true, stop_inclusive = false;
  bool reversed = false;
};

// A part of the rows of a range.
struct RowChunk {
  std::vector<StoredRow> rows;
  bool last = false;  // There are no more rows after these.
};

// Reads a row, in one statement for each family. The caller has the row's lock if there are several families. `room`
// counts the memory of the answer; it may be null. `as` must have no snapshot.
Result<StoredRow> ReadStoredRow(const Database& database, const std::vector<ReadFamily>& families, const Bytes& row,
                                AnswerRoom* room = nullptr, const ShowOptions& as = {});
// Reads whole rows at the beginning of the range, until they have about `cells` cells. All are read at one moment.
Result<RowChunk> ReadChunk(const Database& database, const std::vector<ReadFamily>& families, const RowRangeSpec& range,
                           uint32_t cells, AnswerRoom* room = nullptr);

// Shows k, q, t and v of the family's cells in the range.
Status ShowRange(const Database& database, const HFamily& family, const RowRangeSpec& range, RowViewer& viewer,
                 const ShowOptions& as = {});

}  // namespace widerow::hbase
