// Slices of a partition as ranges of encoded clusterings. A bound on one column, or on several columns of one
// direction, gives one range. A bound on columns of mixed directions, such as (a, b) > (1, 2) with a ascending and b
// descending, gives several.
#pragma once

#include <optional>
#include <vector>

#include "storage/mutation.h"

namespace widerow {

// A bound of (c[first], c[first + 1], …), where c are the clustering columns. The values are compared as CQL compares
// them, even if a column is stored in descending order.
struct BoundValues {
  uint32_t first = 0;
  std::vector<Bytes> values;
  bool inclusive = false;
};

// Appends the ranges of the rows that start with `prefix` (encoded) and are between the bounds. The ranges are disjoint
// and ascending; there may be none.
void AppendSliceRanges(const TableSchema& table, const Bytes& prefix, const std::optional<BoundValues>& lower,
                       const std::optional<BoundValues>& upper, std::vector<ClusteringRange>& out);

}  // namespace widerow
