// The memory that a decide step holds while it waits in the writer's queue (Write::decide_bytes). The queue's bound
// counts it.
#pragma once

#include "exec/write/decided_reads.h"
#include "exec/write/row_conditions.h"

namespace widerow {

// Both functions return an approximate number of bytes.
size_t HeldBytes(const Mutation& mutation);
size_t HeldBytes(const std::vector<ReadingWrite>& writes);

}  // namespace widerow
