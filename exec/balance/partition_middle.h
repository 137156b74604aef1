// Where a RANGE partition is to be split.
#pragma once

#include "storage/engine.h"

namespace widerow {

// The bound (planner/access/key_ranges.h) with about half of the partition's bytes before it, always between two values of the partitioning
// columns. Empty if the partition holds less than two. Reads the whole partition once, in views of some thousand rows.
// `stop` (may be empty): asked now and then; true ends the search with an empty bound.
Result<Bytes> FindMiddle(StorageEngine& storage, const TableSchema& table, size_t index, const std::function<bool()>& stop = {});

}  // namespace widerow
