// Finds where to split a RANGE partition.
#pragma once

#include "storage/storage_engine.h"

namespace widerow {

// Returns the bound (planner/access/key_ranges.h) that has about half of the partition's bytes before it. A bound is
// always between two values of the partitioning columns. The result is empty if the partition has fewer than two
// values. Reads the whole partition once; each snapshot is held for some thousand rows. `stop` (may be empty) is called
// regularly. If it returns true, the search ends with an empty bound.
Result<Bytes> FindMiddle(StorageEngine& storage, const TableSchema& table, size_t index,
                         const std::function<bool()>& stop = {});

}  // namespace widerow
