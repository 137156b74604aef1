// Turns one CellOperation into cells of a row. The values of a statement are evaluated once, and then applied to each
// row that the statement names.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/mutation.h"

namespace widerow {

// Timestamps and TTL of the cells that one statement writes.
struct CellTimes {
  int64_t timestamp = 0;
  int32_t ttl = 0;
  int64_t now_seconds = 0;
  int64_t now_micros = 0;  // The server's time. It orders list elements, even with USING TIMESTAMP.

  DeletionTime Deletion() const { return {timestamp, now_seconds}; }
  // Returns the deletion of all old elements of a multi-cell column. A write of a whole value or of null contains it.
  // The deletion is one microsecond older than the new elements, so it does not delete them.
  DeletionTime DeletionBefore() const { return {timestamp - 1, now_seconds}; }
  // AddLive and AddTombstone append a cell with these times to `row`.
  void AddLive(ColumnId column, Bytes path, ByteView value, RowFragment& row) const;
  void AddTombstone(ColumnId column, Bytes path, RowFragment& row) const;
};

// A CellOperation with its values.
struct BoundOperation {
  const CellOperation* operation = nullptr;
  const ColumnSchema* column = nullptr;
  Value value, element;
  bool unset = false;  // The value is unset: the operation writes nothing.
  // True if the operation needs the stored cells of the row: if reads_list() is true, or if the operation adds to a
  // number or text.
  bool reads() const;
  // True if the operation sets or deletes an element of a list by its index, or removes values from a list.
  bool reads_list() const;
};

// Evaluates the operation's values into `bound`, which must be a default-constructed object. Borrows the operation and
// the table. Errors are Cassandra's.
Status BindOperation(const CellOperation& operation, const TableSchema& table, const EvaluationContext& context,
                     BoundOperation& bound);

// Appends the cells and deletions of an operation whose reads() is false.
Status ApplyOperation(const BoundOperation& bound, const CellTimes& times, RowFragment& row);
// Appends the cells of an operation whose reads() is true. `present` has the column's live cells, those of a list in
// list order.
Status ApplyToStored(const BoundOperation& bound, const std::vector<CellView>& present, const CellTimes& times,
                     RowFragment& row);

// Sorts the fragment's cells and deletions as RowFragment requires. Of several cells with the same column and path,
// only the one that wins stays (CellWins), whatever their order, as in Cassandra.
void NormalizeFragment(const TableSchema& table, RowFragment& row);

}  // namespace widerow
