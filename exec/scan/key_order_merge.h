// Rows of KEY, HASH and LIST partitions in the order of their partition keys: a merge of one cursor per partition, all
// open in one view. Used by one thread.
#pragma once

#include <vector>

#include "planner/access/key_ranges.h"
#include "storage/storage_engine.h"

namespace widerow {

// Opens the merge. `slice` says what to read of each of `ranges`, which begin with different partition numbers. Its
// `partitions` are ignored; its resume point is where an earlier page of the merged rows stopped. The cursor borrows
// `view`.
Result<std::unique_ptr<RowCursor>> OpenInKeyOrder(ReadView& view, Slice slice,
                                                  const std::vector<StoredKeyRange>& ranges);

}  // namespace widerow
