// Ranges of partition keys in tables that are not stored by token. Turns the values of a range into ranges of stored
// keys, and finds the partitions that may contain them. EXPLAIN calls these functions with constants, and exec with
// bind values too. Pure functions, any thread.
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
// there is one range for each partition that may contain keys within `bounds`. If `bounds` contain all keys and
// `merged` is false, one range for the whole table is returned instead. `merged`: the caller merges the ranges by key,
// so each range must be in key order.
std::vector<StoredKeyRange> RangesOf(const TableSchema& table, const KeyBounds& bounds, bool merged);

// Returns the indexes, in the partition map, of the partitions that may contain keys within `bounds`, ascending.
std::vector<size_t> PartitionsOf(const TableSchema& table, const KeyBounds& bounds);

}  // namespace widerow
