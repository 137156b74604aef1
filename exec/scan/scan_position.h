// The place of a RowScan: the partition that it reads, and what it has seen of the partition. After() writes the place
// into a paging state, from which another scan continues. Used by one thread.
#pragma once

#include "exec/rows/paging.h"
#include "exec/rows/scanned_row.h"

namespace widerow {

struct ScanPosition {
  enum class State : uint8_t {
    kOutside,   // Before the first row, or between two partitions.
    kReading,   // In `partition`.
    kUnwanted,  // In `partition`, which has a token that the statement does not ask for: rows are not shown.
    kSkipping,  // In `partition`, whose remaining rows need not be read.
    kLeaving,   // In `partition`, after a row. The next rows need not be read if only their last clustering column
                // differs from that row.
  };

  State state = State::kOutside;
  Bytes partition;  // The partition's key; kept after the partition's end.
  StaticRow statics;
  uint64_t rows_left = kAllRows;  // Rows that PER PARTITION LIMIT leaves.
  bool rows_seen = false;         // True if the partition has had a live row.
  bool at_statics = false;        // True if the row shown last has static content only.

  bool inside() const { return state != State::kOutside; }

  // Enters a partition. At most `most` of its rows may be shown; none if the partition is not `wanted`.
  void Begin(ByteView key, uint64_t most, bool wanted) {
    state = wanted ? State::kReading : State::kUnwanted;
    partition.assign(key);
    statics.Clear();
    rows_left = most;
    rows_seen = false;
  }
  // Skips the rest of the current partition, if the scan is inside one.
  void Skip() {
    if (inside()) state = State::kSkipping;
  }
  void SkipAlike() {
    if (state == State::kReading) state = State::kLeaving;
  }
  // Counts a row that is shown.
  void Show(bool static_only) {
    at_statics = static_only;
    if (!static_only && --rows_left == 0) state = State::kSkipping;
  }
  // True if nothing of the partition is left after the row shown last.
  bool PartitionDone(const TableSchema& table) const {
    return state == State::kSkipping || at_statics || table.clustering_size == 0;
  }
  // Returns the place after `row`, which was shown last. The caller adds what the LIMIT of the whole scan leaves.
  PagingState After(const RowView& row, const TableSchema& table) const {
    PagingState after;
    after.partition_rows_left = LimitOfRows(rows_left);
    after.at.partition_key = partition;
    after.at.partition_done = PartitionDone(table);
    if (!after.at.partition_done) after.at.clustering = Bytes(row.clustering);
    return after;
  }
};

}  // namespace widerow
