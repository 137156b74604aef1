// Paths of list elements: 16 bytes whose byte order is the list's order. An appended element gets a path after all
// existing ones. A prepended element gets a path before all existing ones. Cassandra does the same with time UUIDs
// around a reference time.
#pragma once

#include "base/bytes.h"

namespace widerow {

// Returns a path after all paths that this process gave to appended elements. The paths of different processes are
// ordered by `now_micros`.
Bytes NextAppendPath(int64_t now_micros);
// Reserves positions for `count` elements prepended together. Pass the result as `base` to PrependPath.
int64_t NextPrependBase(int64_t now_micros, size_t count);
// Returns the path of element `offset` (0 … count-1) of elements prepended together; these keep their order.
Bytes PrependPath(int64_t base, size_t offset);

}  // namespace widerow
