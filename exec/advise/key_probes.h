// Places spread over a table in key order, from which ADVISE reads some partitions each: of every partition of the map its
// beginning, places between its first and its last key, and its end, where new keys of a rising column are.
#pragma once

#include <vector>

#include "storage/engine.h"

namespace widerow {

// Ranges of stored partition keys, each to be read from its beginning for as long as is wanted; ascending, and some may be met
// again from the one before. `count`: about so many.
Result<std::vector<Slice::KeyRange>> KeyProbes(ReadView& view, const TablePtr& table, size_t count);

}  // namespace widerow
