// Operations that read a list before they write it: an element by index, a list minus values. The decide step runs them
// on the writer thread. Each operation sees the list as it is stored, changed by the operations before it in the same
// statement. Statements of one batch do not see each other's changes.
#pragma once

#include <variant>

#include "exec/write/cell_operations.h"

namespace widerow {

// The operations of one statement on the lists of one row, in the statement's order. At least one of them reads.
struct ListWrite {
  // A step is an operation that reads. For an operation that does not read, the step is the cells and deletions that it
  // writes; the statement's own mutation contains these too.
  using Step = std::variant<BoundOperation, RowFragment>;

  TablePtr table;
  Bytes partition_key;
  bool is_static = false;
  Bytes clustering;
  CellTimes times;
  bool conditional = false;
  std::vector<Step> steps;

  // The number of operations that read.
  int64_t reads() const;
  // Replaces the timestamp kUndecided.
  void SetTimestamp(int64_t timestamp);
};

// Returns the changes by the operations that read. Fails, with Cassandra's sentence, for an index that the list does
// not have.
Result<Mutation> DecideLists(ReadView& view, const std::vector<ListWrite>& writes);

}  // namespace widerow
