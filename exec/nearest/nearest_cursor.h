// Rows in the order of their similarity to a vector, the nearest first; rows with the same similarity are in the order
// of the base table. The order is exactly that of the similarity functions. Rows without a vector do not appear.
//
// The cursor finds candidates in one of two ways. It reads the codes of all rows (code_scan.h), from which upper bounds
// of the similarities follow. Or, if other conditions find few rows, it reads these rows. It then reads the rows of
// candidates in the order of their bounds, and returns a row once its similarity is not less than all bounds that
// follow. If the candidates are used up, it looks for the next ones.
#pragma once

#include "exec/derived/index_cursor.h"
#include "exec/meter/scan_meter.h"
#include "exec/meter/table_size.h"
#include "exec/nearest/bind_nearest.h"

namespace widerow {

// The rows to order. Borrows everything but the slice.
struct RowsToCompare {
  const BoundNearest& nearest;
  const BoundIndexCondition* condition = nullptr;  // Finds the rows. Null: all rows of `slice`.
  const EntryBounds& bounds;                       // The entries of the rows of `slice`.
  Slice slice;                                     // One partition, or a range of tokens.
  uint64_t rows_expected = 0;                      // An estimate of the number of rows in `slice`.
  ScanMeter* meter = nullptr;                      // May be null.
};

// Opens the cursor. If the slice wants statics, each row whose predecessor is of another partition comes after the
// static row of its partition. `wanted`: the number of rows that will be read if all pass the filter.
Result<std::unique_ptr<RowCursor>> OpenNearest(ReadView& view, RowsToCompare rows, int64_t now_seconds,
                                               uint64_t wanted);

}  // namespace widerow
