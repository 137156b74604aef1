// Chooses starting points that are spread over the keys of a table in key order. From each starting point on, ADVISE
// reads some partitions. The starting points are the beginning of each entry of the partition map, and keys between the
// first and the last stored key of the entry.
#pragma once

#include <vector>

#include "storage/storage_engine.h"

namespace widerow {

// Returns about `count` ranges of stored partition keys, ascending by their beginnings. The caller reads each range
// from its beginning and may stop anywhere; ranges overlap. If the map has more than `count` entries, some are skipped.
Result<std::vector<Slice::KeyRange>> KeyProbes(ReadView& view, const TablePtr& table, size_t count);

}  // namespace widerow
