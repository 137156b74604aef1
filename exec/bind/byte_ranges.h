// Slices of a partition as ranges of encoded clusterings. One column, or several in the same direction, give one range; a
// multi-column bound over columns of mixed order, (a, b) > (1, 2) with a ascending and b descending, gives several.
#pragma once

#include <optional>
#include <vector>

#include "storage/mutation.h"

namespace widerow {

// (c[first], c[first + 1], …) compared with `values`, in CQL order of the values.
struct BoundValues {
  uint32_t first = 0;
  std::vector<Bytes> values;
  bool inclusive = false;
};

// Appends the ranges of rows that start with `prefix` (encoded) and lie between the bounds: disjoint, ascending, possibly
// none.
void AppendSliceRanges(const TableSchema& table, const Bytes& prefix, const std::optional<BoundValues>& lower,
                       const std::optional<BoundValues>& upper, std::vector<ClusteringRange>& out);

}  // namespace widerow
