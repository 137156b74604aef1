// The bounds for values of columns with indexes. A value of a column with a plain index must be short enough to be the
// key of a partition of the index, as in Cassandra. A vector of a column with an index on vectors must be one that the
// index can compare. Pure functions, any thread.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "storage/mutation.h"

namespace widerow {

// Refuses a mutation that writes or deletes a value of 65,535 bytes or more of a column with a plain index, or that
// writes a vector that CheckIndexable refuses (types/similarity.h).
Status CheckIndexedValues(const Mutation& mutation);

}  // namespace widerow
