// Chooses places spread over a table in key order, from each of which ADVISE reads some partitions. They are the
// beginning of each partition of the map, and places between its first and its last key.
#pragma once

#include <vector>

#include "storage/storage_engine.h"

namespace widerow {

// Returns about `count` ranges of stored partition keys, ascending by their beginnings. Each is read from its beginning
// for as long as the caller likes; ranges overlap. If the map has more than `count` partitions, some are skipped.
Result<std::vector<Slice::KeyRange>> KeyProbes(ReadView& view, const TablePtr& table, size_t count);

}  // namespace widerow
