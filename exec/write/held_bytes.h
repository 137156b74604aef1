// The memory that writes hold: a decide step while it waits in the writer's queue (Write::decide_bytes), whose bound
// counts it; and the rows of a statement, before they are made.
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
