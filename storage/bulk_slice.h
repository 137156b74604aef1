// Puts sorted rows of one table into LMDB, inside one write transaction. The folder's thread only.
//
// A row whose key is not there, in a partition without tombstones, is stored as it is: put at the cursor, or appended where
// nothing comes after it. Everything else goes through PartitionWriter, as a fold does: what is stored, tombstones, expiring
// cells, values that spill, keys longer than LMDB's.
#pragma once

#include "storage/bulk_run.h"
#include "storage/partition_writer.h"

namespace widerow {

class BulkSlice {
 public:
  static Result<BulkSlice> Open(WriteContext& context, const TableColumns& columns);

  // Keys in order; equal ones are merged.
  Status Put(const BulkEntry& entry);
  // What has been gathered is stored. Call it before the transaction ends.
  Status Finish();

 private:
  BulkSlice(WriteContext& context, const TableColumns& columns, lmdb::Cursor cursor)
      : context_(context), columns_(columns), cursor_(std::move(cursor)) {}

  Status BeginPartition(ByteView key);
  // Where the next stored key at or after `key` is, into gap_end_. True if it is `key` itself.
  Result<bool> Seek(ByteView key);
  Status Store(const BulkEntry& entry);
  Status Gather(const BulkEntry& entry);
  Status MergeGathered();
  bool InGap(ByteView key) const { return gap_known_ && (gap_open_ || key < gap_end_); }

  WriteContext& context_;
  const TableColumns& columns_;
  lmdb::Cursor cursor_;
  Bytes prefix_;               // Of the partition at hand.
  bool live_ = true;             // It has not been truncated or dropped since the rows were gathered.
  bool has_tombstones_ = false;  // It may have: rows have to be held against them.
  Bytes last_stored_;          // The key of the row stored last as it is.
  // Nothing is stored between the last key looked for or stored and gap_end_, or the end of the database.
  bool gap_known_ = false, gap_open_ = false;
  Bytes gap_end_;
  PartitionMutation gathered_;
  StoredCounters delta_;  // Of rows stored as they are, in this partition.
};

}  // namespace widerow
