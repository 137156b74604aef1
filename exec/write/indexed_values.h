// The bounds for values of columns with indexes. Cassandra refuses long values of columns with a plain index, so that
// each of them can be the key of a partition of the index; and vectors that an index on vectors cannot compare. Pure
// functions, any thread.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "storage/mutation.h"

namespace widerow {

// Refuses a mutation that writes or deletes a value of 65,535 bytes or more of a column with a plain index, or that
// writes a vector that CheckIndexable refuses (types/similarity.h).
Status CheckIndexedValues(const Mutation& mutation);

}  // namespace widerow
