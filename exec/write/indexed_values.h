// The bound for values of columns with a plain index. Cassandra refuses longer ones, so that each of them can be the
// key of a partition of the index. Pure functions, any thread.
#pragma once

#include "planner/evaluate/evaluate.h"
#include "storage/mutation.h"

namespace widerow {

// Refuses a mutation that writes or deletes a value of 65,535 bytes or more of a column with a plain index.
Status CheckIndexedValues(const Mutation& mutation);

}  // namespace widerow
