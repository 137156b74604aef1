// Purging removes deletions, tombstones and expired content from the data file once gc_grace has passed.
// docs/internals/tombstones.md says why no read changes its answer.
#pragma once

#include "storage/count/purge_ledger.h"
#include "storage/fold/purge_fence.h"
#include "storage/fold/purge_scan.h"
#include "storage/fold/store_writer.h"

namespace widerow {

// One slice of purging, some milliseconds long. Works on the state of the StoreWriter, on the folder's thread.
class Purge {
 public:
  explicit Purge(StoreWriter& writer) : w_(writer) {}

  // True if a walk or visit is under way, or one is due.
  bool IsDue() const;
  Status Slice();
  // True if enough of the memtable's content is due to make a fold worth it. Each call looks at a part of the memtable,
  // for some milliseconds.
  bool MemtableIsDue();

 private:
  // Records of the table with a `since` (purge_times.h) before this second are due; nullopt if the table is gone.
  std::optional<int64_t> PurgeBefore(StorageId table) const;
  std::optional<StorageId> DueTable() const;
  void Begin();
  Status End(const TableColumns& columns);
  // Removes from `candidates` those whose row, or whose partition's deletions, a memtable has. The fence must be up.
  void HoldBack(std::vector<PurgeCandidate>& candidates);
  Status Drop(const TableColumns& columns, const std::vector<PurgeCandidate>& candidates);
  // Purges candidates of one partition.
  Status DropInPartition(WriteContext& context, const TableColumns& columns,
                         std::span<const PurgeCandidate> candidates);

  StoreWriter& w_;
};

}  // namespace widerow
