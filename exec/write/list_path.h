// Paths of list elements: 16 bytes whose byte order is the list's order. Appended elements get rising paths, prepended ones
// paths before everything appended at any time, the later prepended the earlier. The idea is Cassandra's, which uses time
// UUIDs around a reference time.
#pragma once

#include "base/bytes.h"

namespace widerow {

// Each call gives a path after (before) all that this process gave; paths of other processes' writes are ordered by time.
Bytes NextAppendPath(int64_t now_micros);
// `count` elements prepended together keep their order: call with `offset` 0 … count-1 and one `base` from NextPrependBase.
int64_t NextPrependBase(int64_t now_micros, size_t count);
Bytes PrependPath(int64_t base, size_t offset);

}  // namespace widerow
