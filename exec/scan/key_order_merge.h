// Rows of KEY, HASH and LIST partitions in the order of their partition keys: one cursor a partition, all heads open in one view,
// the first one by key shown. One thread.
#pragma once

#include <vector>

#include "planner/access/key_ranges.h"
#include "storage/engine.h"

namespace widerow {

// `slice` says what is read of each of `ranges`, which begin with different partition numbers; its partitions mean nothing, its
// resume point is where an earlier page of the merged rows stopped. The cursor borrows `view`.
Result<std::unique_ptr<RowCursor>> OpenInKeyOrder(ReadView& view, Slice slice, const std::vector<StoredKeyRange>& ranges);

}  // namespace widerow
