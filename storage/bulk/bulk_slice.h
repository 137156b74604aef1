// Puts sorted rows of one table into LMDB in one write transaction. Used on the folder's thread only.
//
// A row is stored directly, with LMDB's cursor, if its key is not stored yet and its partition has no tombstones. If no
// key comes after it, it is appended. PartitionWriter merges all other rows, as in a fold. These are rows whose key is
// stored, rows of partitions with tombstones, rows with expiring cells or tombstones, rows with large values that must
// be spilled, and rows with long keys.
#pragma once

#include "storage/bulk/bulk_run.h"
#include "storage/fold/partition_writer.h"

namespace widerow {

class BulkSlice {
 public:
  static Result<BulkSlice> Open(WriteContext& context, const TableColumns& columns);

  // Keys must come in order. Rows with equal keys are merged.
  Status Put(const BulkEntry& entry);
  // Stores the rows that Put has gathered. Must be called before the transaction ends.
  Status Finish();

 private:
  // A gap is a range of keys under which nothing is stored. It begins after the last key that was sought or stored.
  // This value says where it ends.
  enum class Gap : uint8_t {
    kUnknown,
    kToKey,  // Ends at gap_end_.
    kOpen,   // Has no end.
  };

  BulkSlice(WriteContext& context, const TableColumns& columns, lmdb::Cursor cursor)
      : context_(context), columns_(columns), cursor_(std::move(cursor)) {}

  Status BeginPartition(ByteView key);
  // Sets the gap, which ends at the first stored key at or after `key`. Returns true if `key` itself is stored.
  Result<bool> Seek(ByteView key);
  Status Store(const BulkEntry& entry);
  Status Gather(const BulkEntry& entry);
  Status MergeGathered();
  bool InGap(ByteView key) const { return gap_ == Gap::kOpen || (gap_ == Gap::kToKey && key < gap_end_); }
  // True if the gap ends with a key of the current partition.
  bool GapEndsInPartition() const { return gap_ == Gap::kToKey && gap_end_.starts_with(prefix_); }

  WriteContext& context_;
  const TableColumns& columns_;
  lmdb::Cursor cursor_;
  Bytes prefix_;      // The current partition's prefix.
  bool live_ = true;  // False if the partition was truncated or dropped after Add (bulk_load.h) got its rows.
  // True if the partition may have tombstones that delete rows of the load.
  bool has_tombstones_ = false;
  Bytes last_stored_;  // The last key that was stored directly.
  Gap gap_ = Gap::kUnknown;
  Bytes gap_end_;
  // Rows of the current partition that PartitionWriter will merge.
  PartitionMutation gathered_;
  StoredCounters delta_;  // Rows and bytes that were added to the current partition, but not yet to its counters.
};

}  // namespace widerow
