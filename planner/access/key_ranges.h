// Ranges of partition keys in tables that are not stored by token. Turns values into stored bytes and finds the
// partitions that can hold them. EXPLAIN uses it with constants, exec with all values. Pure functions, any thread.
#pragma once

#include <optional>
#include <vector>

#include "types/schema.h"

namespace widerow {

// Keys whose leading partition key columns equal `prefix` and whose next column is between the bounds.
struct KeyBounds {
  struct Bound {
    Bytes value;
    bool inclusive = false;
  };
  std::vector<Bytes> prefix;
  std::optional<Bound> lower, upper;
};

// Stored partition keys in [first, end). Without `end`: up to the last key.
struct StoredKeyRange {
  Bytes first;
  std::optional<Bytes> end;
};

// Returns the ranges that contain all keys within `bounds`, ascending. If stored keys begin with a partition number,
// there is one range per partition that may contain such keys. If `merged`, neighbouring ranges stay separate, so that
// each is in key order.
std::vector<StoredKeyRange> RangesOf(const TableSchema& table, const KeyBounds& bounds, bool merged);

// Returns the entries of the partition map that may contain keys within `bounds`.
std::vector<size_t> PartitionsOf(const TableSchema& table, const KeyBounds& bounds);

}  // namespace widerow
