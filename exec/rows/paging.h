// Where a SELECT stopped. Opaque to clients; holds positions, never a cursor; bound to the statement and its values, so that
// one given back with another statement, or altered, is refused.
#pragma once

#include <optional>

#include "base/result.h"
#include "storage/engine.h"

namespace widerow {

// How many rows may still come, while they are counted down; UINT32_MAX in statements and paging states: no limit.
inline constexpr uint64_t kAllRows = uint64_t{1} << 62;
inline uint64_t RowsOfLimit(uint32_t limit) { return limit == UINT32_MAX ? kAllRows : limit; }
inline uint32_t LimitOfRows(uint64_t rows) { return rows < UINT32_MAX ? static_cast<uint32_t>(rows) : UINT32_MAX; }

struct PagingState {
  uint32_t rows_left = UINT32_MAX;            // Of LIMIT.
  uint32_t partition_rows_left = UINT32_MAX;  // Of PER PARTITION LIMIT, in the partition of `at`.
  Slice::ResumePoint at;
  // Of merged partitions: which group of them, which partition in it, and what PER PARTITION LIMIT leaves of each one there;
  // empty without.
  uint32_t group = 0, source = 0;
  std::vector<uint32_t> source_rows_left;

  friend bool operator==(const PagingState&, const PagingState&) = default;
};

// `fingerprint` stands for the statement and its values.
Bytes EncodePagingState(const PagingState& state, uint64_t fingerprint);
// kProtocolError "Invalid value for the paging state" if it was not made by EncodePagingState with this fingerprint.
Result<PagingState> DecodePagingState(ByteView bytes, uint64_t fingerprint);
uint64_t PagingFingerprint(ByteView statement, ByteView keyspace, const Bytes& values);

}  // namespace widerow
