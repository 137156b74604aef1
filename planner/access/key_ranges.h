// Ranges of partition keys in tables that are not stored by token: from values to stored bytes, and to the partitions that can hold
// them. Shared by EXPLAIN, which knows constants, and by execution, which knows everything.
#pragma once

#include <optional>
#include <vector>

#include "types/schema.h"

namespace widerow {

// Leading columns of the partition key equal to `prefix`, the next one between the bounds.
struct KeyBounds {
  struct Bound {
    Bytes value;
    bool inclusive = false;
  };
  std::vector<Bytes> prefix;
  std::optional<Bound> lower, upper;
};

// Stored partition keys in [first, end); `end` absent: to the last.
struct StoredKeyRange {
  Bytes first;
  std::optional<Bytes> end;
};

// The ranges that hold all such keys, one a partition that may have some where keys begin with a partition's number, ascending.
// `merged`: neighbours are not put together, so that each is in key order.
std::vector<StoredKeyRange> RangesOf(const TableSchema& table, const KeyBounds& bounds, bool merged);

// Entries of the partition map that such keys may be in.
std::vector<size_t> PartitionsOf(const TableSchema& table, const KeyBounds& bounds);

}  // namespace widerow
