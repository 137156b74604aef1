// The data of HBase's interface in no particular encoding: cells, reads of a row, and mutations of a row.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace widerow::hbase {

inline constexpr int64_t kLatestTimestamp = std::numeric_limits<int64_t>::max();
inline constexpr size_t kRowBytesMax = 32'767;  // HBase's own limit for the key of a row.

// The type codes of HBase's KeyValue.
enum class CellType : uint8_t {
  kPut = 4,
  kDelete = 8,
  kDeleteFamilyVersion = 10,
  kDeleteColumn = 12,
  kDeleteFamily = 14,
};

struct Cell {
  Bytes family, qualifier;
  int64_t timestamp = kLatestTimestamp;  // Milliseconds.
  CellType type = CellType::kPut;
  Bytes value;

  // Returns about how many bytes of memory the cell takes in answers and buffers.
  size_t bytes() const { return 64 + family.size() + qualifier.size() + value.size(); }
};

// Returns the first row key after all keys that begin with `prefix`; empty if there is none.
inline Bytes AfterPrefix(Bytes prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

struct RowCells {
  Bytes row;
  std::vector<Cell> cells;  // Sorted by family, qualifier, and descending timestamp.
};

struct TimeRange {
  int64_t from = 0, to = kLatestTimestamp;  // `to` is exclusive, unless it is kLatestTimestamp.

  bool Includes(int64_t timestamp) const { return Compare(timestamp) == 0; }
  // Returns -1 below the range, 0 inside, 1 above.
  int Compare(int64_t timestamp) const {
    if (timestamp < from) return -1;
    return timestamp >= to && to != kLatestTimestamp ? 1 : 0;
  }
  bool all_time() const { return from <= 0 && to == kLatestTimestamp; }
};

// The columns of a family that are read. If there are no qualifiers, all columns are read.
struct FamilyColumns {
  Bytes family;
  std::vector<Bytes> qualifiers;
};

enum class MutationKind : uint8_t { kPut, kDelete, kIncrement, kAppend };

// True if a mutation of this kind computes the new cells from the present cells.
inline bool IsDelta(MutationKind kind) { return kind == MutationKind::kIncrement || kind == MutationKind::kAppend; }

// One Put, Delete, Increment or Append of a row.
struct Mutation {
  MutationKind kind = MutationKind::kPut;
  Bytes row;
  std::vector<Cell> cells;     // A Delete's cells have the types kDelete…; the values of an Increment are amounts.
  TimeRange time_range;        // Increment, Append: the present value is the newest one in this range.
  bool return_results = true;  // Increment, Append: the client wants the new cells.
  int64_t timestamp = kLatestTimestamp;  // Only for a Delete without cells, which deletes the row.
  int64_t ttl_ms = 0;                    // The new cells expire this long after their timestamp; 0: not given.
  uint64_t nonce = 0;                    // Increment, Append: HBase's nonce; 0: none.
};

}  // namespace widerow::hbase
