// Sweeping removes the rows that large deletions cover, the rows of dropped tables and truncated partitions, large
// objects to which no row refers, and content that gc_grace no longer protects (purge.h). The StoreWriter owns this
// object. Used on the folder's thread only.
#pragma once

#include "storage/fold/purge.h"
#include "storage/fold/store_state.h"

namespace widerow {

class Sweep {
 public:
  explicit Sweep(StoreState& store) : store_(store), purge_(store) {}

  // Takes over the current schema. Returns true if Slice() has something to do.
  bool IsDue();
  // Sweeps for some milliseconds and commits. False if there is nothing to sweep.
  Result<bool> Slice();
  // See Purge::Repeat.
  Status RepeatPurge(const PurgeGroup& purge) { return purge_.Repeat(purge); }
  // True if the memtable should be folded because of Purge::MemtableIsDue or LargeObjects::WantsFold.
  bool MemtableIsDue();

 private:
  // Applies the first pending deletion to some of its rows.
  Status PendingSlice();
  // Deletes some rows of the first retired storage id.
  Status RetiredSlice();
  // Deletes some rows of the first retired extent: a partition that has been truncated or dropped.
  Status RetiredExtentSlice();
  // Deletes some pieces of a large object to which no row refers.
  Status LargeObjectSlice(const LargeObjects::Loose& loose);
  // Deletes some keys of the extent and returns false. If they are its last keys, runs `at_end` in the same transaction
  // and returns true.
  Result<bool> DeleteSome(const KeyExtent& extent, const std::function<Status(WriteContext&)>& at_end);

  StoreState& store_;
  Purge purge_;
  // Key: the sequence of a pending deletion. Value: the clustering where the sweep goes on.
  std::map<uint64_t, Bytes> sweep_from_;
};

}  // namespace widerow
