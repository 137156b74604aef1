// Rows in the order of an indexed column: first the rows that have a value, in the order of (value, stored key), or the
// reverse of this order if `descending`; then the rows without a value, in the order of the base table. Every row comes
// once. The order does not depend on how the rows are found, so each page can find them in its own way:
// - Walk: read the entries of the column's index in order, and the row of each entry. If other conditions have few
//   entries, these are read first, and only the rows that they name are read.
// - Gather: read all rows that the other conditions find, keep those that come first, and return them.
// The cursor chooses the way that reads less.
#pragma once

#include "exec/derived/derivation.h"
#include "exec/derived/index_cursor.h"
#include "exec/meter/scan_meter.h"
#include "exec/meter/table_size.h"

namespace widerow {

// An IndexOrder with its values (planner/plan.h).
struct BoundOrder {
  DerivationPtr index;
  BoundLookup values;  // The values to return: all, or those that WHERE allows.
  bool descending = false;
  bool nulls = true;  // Rows without a value are returned too.
};

// Evaluates the bounds that WHERE sets for the indexed column. kReadFailure if the index is still being built; nullopt
// if the bounds allow no value.
Result<std::optional<BoundOrder>> BindOrder(const TablePtr& table, const IndexOrder& order,
                                            const EvaluationContext& context);

// A place in the order, after which a page begins.
struct OrderPlace {
  std::optional<Bytes> value;  // The value's term in the index; nullopt if the row has no value.
  Bytes entry;                 // EntryClustering of the row.
};

// The rows to put in order. Borrows everything but the slice.
struct RowsToOrder {
  const BoundOrder& order;
  const BoundIndexCondition* condition = nullptr;  // Finds the rows. Null: all rows of `slice`.
  const EntryBounds& bounds;                       // The entries of the rows of `slice`.
  Slice slice;                                     // One partition, or tokens. Its resume is not used.
  TableSize slice_size, table_size;                // Estimates.
  ScanMeter* meter = nullptr;                      // Counts the rows that are read to find the order.
};

// The cursor returns an empty row (RowView::empty) for every Slice::kDeadRowsStep rows or entries that it passes, so
// that a scan can check whether it may keep its view. The bytes that the cursor keeps in memory are bounded, for any
// number of rows.
class OrderedCursor : public RowCursor {
 public:
  // Returns the place of the row returned last. Before the first row, returns the place after which the cursor began;
  // nullopt if it began at the beginning.
  virtual const std::optional<OrderPlace>& place() const = 0;
};

// Opens the cursor, to begin after the place `after`. If the slice wants statics, the static row of a partition comes
// before each row of the partition, unless the previous row is of the same partition. `wanted`: the number of rows that
// will be read if all rows found pass the filter.
Result<std::unique_ptr<OrderedCursor>> OpenOrdered(ReadView& view, RowsToOrder rows, std::optional<OrderPlace> after,
                                                   int64_t now_seconds, uint64_t wanted);

}  // namespace widerow
