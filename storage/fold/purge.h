// Purging removes deletions, tombstones and expired content from the data file once gc_grace has passed. Purging does
// not change the answer of any read; docs/internals/tombstones.md says why.
#pragma once

#include "storage/count/purge_ledger.h"
#include "storage/fold/direct_log.h"
#include "storage/fold/purge_fence.h"
#include "storage/fold/purge_scan.h"
#include "storage/fold/store_state.h"

namespace widerow {

// Sweep owns this object. It is used on the folder's thread only.
class Purge {
 public:
  explicit Purge(StoreState& store) : store_(store) {}

  // True if a walk through a table or a visit to a partition has begun or is due.
  bool IsDue() const;
  // Purges for some milliseconds. IsDue() must be true.
  Status Slice();
  // True if so much of the active memtable's content is due that a fold is worth it. Each call examines the next part
  // of the memtable: at most kNodesAtOnce keys.
  bool MemtableIsDue();
  // Repeats a purge that is in the log.
  Status Repeat(const PurgeGroup& purge);
  // Forgets a table whose rows have been removed.
  void Forget(StorageId table) { rest_until_.erase(table); }

 private:
  // A walk through a table, or through one partition, in search of content that may be purged.
  struct Walk {
    StorageId table = 0;
    Bytes from = {}, end;  // The keys that are left: [from, end).
    bool whole_table = false;
    int64_t begun = 0;  // The second in which the walk has begun.
    uint64_t examined = 0, purged = 0;
    // The number of records that the walk did not purge but that may be purged one day, and the earliest `since`
    // (purge_times.h) of them.
    uint64_t left = 0;
    int64_t left_since = std::numeric_limits<int64_t>::max();

    void Leave(uint64_t records, int64_t since) {
      left += records;
      left_since = std::min(left_since, since);
    }
  };

  // Returns a time in seconds: records of the table with an earlier `since` (purge_times.h) are due. nullopt if the
  // table is gone.
  std::optional<int64_t> PurgeBefore(StorageId table) const;
  std::optional<StorageId> DueTable() const;
  void Begin();
  Status End(const TableColumns& columns);
  // Removes from `candidates` those whose row, or whose partition's deletions, are in a memtable. The fence must be up.
  void HoldBack(std::vector<PurgeCandidate>& candidates);
  // Returns false if the purge could not be logged now and must be tried again.
  Result<bool> Drop(const TableColumns& columns, const PurgeTimes& times,
                    const std::vector<PurgeCandidate>& candidates);
  // Purges candidates of one partition.
  Status DropInPartition(WriteContext& context, const TableColumns& columns,
                         std::span<const PurgeCandidate> candidates);
  Status DropAll(const TableColumns& columns, std::span<const PurgeCandidate> candidates);

  StoreState& store_;
  std::optional<Walk> walk_;
  std::map<StorageId, int64_t> rest_until_;  // No walk through the table begins before this second.
  Bytes memtable_look_from_;                 // The key where MemtableIsDue() goes on.
};

}  // namespace widerow
