// The position where a page of a SELECT ended. It is opaque to clients and contains no cursor. A fingerprint binds it
// to the statement and its values: a position that has been changed, or that comes with another statement, is refused.
#pragma once

#include <optional>

#include "base/result.h"
#include "storage/storage_engine.h"

namespace widerow {

// The row count of "no limit" in counters. Statements and paging states use UINT32_MAX instead.
inline constexpr uint64_t kAllRows = uint64_t{1} << 62;
inline uint64_t RowsOfLimit(uint32_t limit) { return limit == UINT32_MAX ? kAllRows : limit; }
inline uint32_t LimitOfRows(uint64_t rows) { return rows < UINT32_MAX ? static_cast<uint32_t>(rows) : UINT32_MAX; }

struct PagingState {
  uint32_t rows_left = UINT32_MAX;            // Rows that LIMIT leaves.
  uint32_t partition_rows_left = UINT32_MAX;  // Rows that PER PARTITION LIMIT leaves in the partition of `at`.
  Slice::ResumePoint at;
  // Set for merged partitions only: the group, the partition in it, and the rows that PER PARTITION LIMIT leaves for
  // each partition of the group.
  uint32_t group = 0, source = 0;
  std::vector<uint32_t> source_rows_left;

  friend bool operator==(const PagingState&, const PagingState&) = default;
};

// Encodes the position. `fingerprint` identifies the statement and its values.
Bytes EncodePagingState(const PagingState& state, uint64_t fingerprint);
// Decodes a position. kProtocolError "Invalid value for the paging state" if EncodePagingState has not made `bytes`
// with this fingerprint.
Result<PagingState> DecodePagingState(ByteView bytes, uint64_t fingerprint);
uint64_t PagingFingerprint(ByteView statement, ByteView keyspace, const Bytes& values);

}  // namespace widerow
