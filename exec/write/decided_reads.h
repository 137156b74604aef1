// Operations that read a column before they write it: an element of a list by index, a list minus values, an addition
// to a number or text. The decide step (storage/mutation.h) runs them on the writer thread. Each operation sees the
// stored column with the changes of the earlier operations of the same statement. Statements of one batch do not see
// each other's changes.
#pragma once

#include <variant>

#include "exec/write/cell_operations.h"

namespace widerow {

// Operations of one statement on one row: those that read a column, and those that change a list, in the statement's
// order. At least one of them reads.
struct ReadingWrite {
  // An operation that reads is a step by itself (BoundOperation). An operation that does not read is a step with the
  // cells and deletions that it writes; the mutation of the statement also contains these cells and deletions.
  using Step = std::variant<BoundOperation, RowFragment>;

  TablePtr table;
  Bytes partition_key;
  bool is_static = false;
  Bytes clustering;
  CellTimes times;
  bool conditional = false;
  std::vector<Step> steps;

  // The number of operations that read a list.
  int64_t list_reads() const;
  // Replaces the timestamp kUndecided.
  void SetTimestamp(int64_t timestamp);
};

// Returns the changes by the operations that read. Fails, with Cassandra's sentence, for an index that the list does
// not have, and for the addition of null.
Result<Mutation> DecideReadingWrites(ReadView& view, const std::vector<ReadingWrite>& writes);

}  // namespace widerow
