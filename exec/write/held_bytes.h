// Estimates the memory of writes. HeldBytes is for a decide step that waits in the writer's queue. The bound of this
// queue includes the memory of decide steps (Write::decide_bytes). BytesInRow is for a statement's rows that are not
// made yet.
#pragma once

#include "exec/write/decided_reads.h"
#include "exec/write/row_conditions.h"

namespace widerow {

// Both functions return an approximate number of bytes.
size_t HeldBytes(const Mutation& mutation);
size_t HeldBytes(const std::vector<ReadingWrite>& writes);

// Returns the approximate number of bytes that the operation adds to each row that it changes.
size_t BytesInRow(const BoundOperation& operation);

}  // namespace widerow
