// The position where a page of a SELECT ended. It is opaque to clients and contains no cursor. A scope binds it to the
// rows that the statement reads and to their order (exec/scan/paging_scope.h). The checksum finds damage; it is no
// signature, so a client can make a state of its own. Code that continues at a position must therefore check it.
#pragma once

#include <optional>

#include "base/result.h"
#include "storage/storage_engine.h"

namespace widerow {

// The number of rows that means "no limit" in scans. Statements and paging states use UINT32_MAX instead.
inline constexpr uint64_t kAllRows = uint64_t{1} << 62;
inline uint64_t RowsOfLimit(uint32_t limit) { return limit == UINT32_MAX ? kAllRows : limit; }
inline uint32_t LimitOfRows(uint64_t rows) { return rows < UINT32_MAX ? static_cast<uint32_t>(rows) : UINT32_MAX; }

struct PagingState {
  uint32_t rows_left = UINT32_MAX;            // Rows that LIMIT leaves.
  uint32_t partition_rows_left = UINT32_MAX;  // Rows that PER PARTITION LIMIT leaves in the partition of `at`.
  Slice::ResumePoint at;
  // Set for rows in the order of an index only: the term of the row's value; empty if the row has no value.
  std::optional<Bytes> order_term;
  // Set for merged partitions (MergeScan) only: the group of partitions, the partition in the group, and the rows that
  // PER PARTITION LIMIT leaves for each partition of the group.
  uint32_t group = 0, source = 0;
  std::vector<uint32_t> source_rows_left;

  friend bool operator==(const PagingState&, const PagingState&) = default;
};

// `scope` identifies the rows and the order in which the position is meaningful.
Bytes EncodePagingState(const PagingState& state, uint64_t scope);
// Errors: kProtocolError "Invalid value for the paging state" if `bytes` are not what EncodePagingState made, and
// ForeignPagingState if it made them with another scope.
Result<PagingState> DecodePagingState(ByteView bytes, uint64_t scope);
// Returns kInvalid, for a paging state of another statement.
Error ForeignPagingState();
// Returns the scope of an answer that depends on the statement's text alone, such as that of DESCRIBE.
uint64_t ScopeOfText(ByteView statement, ByteView keyspace);

}  // namespace widerow
