// One CellOperation into cells of a row. Values are evaluated once a statement, then applied to each row it names.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/mutation.h"

namespace widerow {

// Times of the cells one statement writes.
struct CellTimes {
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t now_seconds = 0;
  int64_t now_micros = 0;  // The server's, whatever the timestamp: list elements stand in the order in which they came.

  DeletionTime Deletion() const { return {timestamp, now_seconds}; }
  // What lies under a whole-value write to a multi-cell column, also under a null: elements of the same timestamp stay.
  DeletionTime DeletionBefore() const { return {timestamp - 1, now_seconds}; }
  Cell Live(ColumnId column, Bytes path, Bytes value) const;
  Cell Tombstone(ColumnId column, Bytes path) const;
};

// A CellOperation with its values known.
struct BoundOperation {
  const CellOperation* operation = nullptr;
  const ColumnSchema* column = nullptr;
  Value value, element;
  bool unset = false;         // The value is unset: nothing happens.
  // List by index, list minus values: needs the row's present cells.
  bool reads() const;
};

Result<BoundOperation> BindOperation(const CellOperation& operation, const TableSchema& table,
                                     const EvaluationContext& context);

// Appends the cells and deletions of an operation that does not read.
Status ApplyOperation(const BoundOperation& bound, const CellTimes& times, RowFragment& row);
// The same for one that reads; `present` are the list's live cells in list order.
Status ApplyToList(const BoundOperation& bound, const std::vector<CellView>& present, const CellTimes& times,
                   RowFragment& row);

// Puts the fragment's cells and deletions in the order RowFragment asks for; of two for one place the later stays.
void NormalizeFragment(RowFragment& row);

}  // namespace widerow
