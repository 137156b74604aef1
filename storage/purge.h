// Purging: what deletes, or has expired, and is past gc_grace leaves the data file. docs/internals/tombstones.md says how it is kept from
// changing the answer of any read.
#pragma once

#include "storage/purge_fence.h"
#include "storage/purge_ledger.h"
#include "storage/purge_scan.h"
#include "storage/store_writer.h"

namespace widerow {

// Some milliseconds of it, over the StoreWriter's state. The folder's thread.
class Purge {
 public:
  explicit Purge(StoreWriter& writer) : w_(writer) {}

  // A walk or visit is under way, or something is due.
  bool IsDue() const;
  Status Slice();
  // Whether so much of what the memtable holds is due that it should be folded. Looks at a part of it a time, some
  // milliseconds long.
  bool MemtableIsDue();

 private:
  // What is due in the table was written before this second; nullopt: the table is gone, or rests.
  std::optional<int64_t> PurgeBefore(StorageId table) const;
  std::optional<StorageId> DueTable() const;
  void Begin();
  Status End(const TableColumns& columns);
  // Drops those of whose rows, or of whose partition's deletions, a memtable knows. Fence up.
  void HoldBack(std::vector<PurgeCandidate>& candidates);
  Status Drop(const TableColumns& columns, const std::vector<PurgeCandidate>& candidates);
  // Those of one partition.
  Status DropInPartition(WriteContext& context, const TableColumns& columns, std::span<const PurgeCandidate> candidates);

  StoreWriter& w_;
};

}  // namespace widerow
