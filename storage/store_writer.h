// Everything that changes the data file: folding memtables into it, and sweeping. In transactions of some milliseconds. The
// folder's thread only (or before it starts).
#pragma once

#include "storage/catalog_store.h"
#include "storage/engine.h"
#include "storage/partition_counters.h"
#include "storage/partition_sizes.h"
#include "storage/partition_writer.h"
#include "storage/purge_fence.h"
#include "storage/purge_ledger.h"
#include "storage/read_state.h"

namespace widerow {

// What it shares with others; owned by the engine.
struct SharedState {
  lmdb::Env& env;
  SharedReadState& state;
  PartitionCounters& counters;
  PartitionSizes& sizes;
  const Published<LiveTables>& tables;
  Clock& clock;
  std::atomic<int64_t>& last_timestamp;
  PurgeLedger& ledger;
  PurgeFence& fence;
};

class StoreWriter {
 public:
  StoreWriter(SharedState shared, StoredMeta meta);

  // Where a fold has come to.
  struct Fold {
    const Memtable* memtable;
    const Memtable::Node* next;  // Null: only what is beside the keys is left.
    size_t bytes = 0;            // Of the records behind it.
  };

  // Some milliseconds of a fold, in a transaction of its own. True: that was the last, the memtable is in LMDB whole. After
  // an error the slice may be tried again. What belongs to tables that are gone is left out.
  Result<bool> FoldSlice(Fold& fold);
  Status StoreTimestamp();  // At shutdown.
  // Runs `body` over the tables as they are now, in a transaction of its own, with what must be stored beside rows.
  Status Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body);

  // Does some milliseconds of sweeping in a transaction of its own: big deletions, then rows of former storage ids,
  // then what gc_grace no longer protects. False: nothing to do now.
  Result<bool> SweepSlice();
  bool SweepIsDue();
  // Whether the memtable should be folded because much of what it holds could be purged then. Looks at a part of it a time.
  bool MemtableIsDue();

  // After a failed sync nothing is written any more.
  const std::optional<Error>& broken() const { return broken_; }

 private:
  friend class Sweep;
  friend class Purge;
  // A walk through a table, or a visit to a partition, for what may be purged.
  struct PurgeWalk {
    StorageId table = 0;
    Bytes from = {}, end;  // Keys, what is left of them.
    bool whole_table = false;
    int64_t begun = 0;     // Seconds.
    uint64_t examined = 0, purged = 0;
    uint64_t left = 0;     // That may be purged one day, and the earliest since of them.
    int64_t left_since = std::numeric_limits<int64_t>::max();

    void Leave(uint64_t records, int64_t since) {
      left += records;
      left_since = std::min(left_since, since);
    }
  };

  // Looks at the schema as it is now. Tables that have gone since are to be swept: their going is in the log.
  void TakeTables();
  void Retire(StorageId id);
  void Retire(KeyExtent extent);
  Status Transact(const std::function<Status(WriteContext&)>& body);
  Status StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group);
  Status FailedCommit(lmdb::Rc rc);
  void TakeOver(GroupState group);

  Status FoldSome(WriteContext& context, Fold& fold);
  // The rows of one partition, or as many as one step may take.
  Status FoldPartition(WriteContext& context, Fold& fold);
  Status StoreSizes(lmdb::WriteTxn& txn);
  Status FoldExtras(WriteContext& context, const Memtable::Extras& extras);
  // Of a table whose partition map is new.
  Status StoreCountersOf(WriteContext& context, const TableSchema& table);
  void TakeOver(const Memtable::Extras& extras);
  // What a sweep has changed in a partition, for its counters.
  void CountSwept(WriteContext& context, const TableColumns& columns, ByteView prefix, const PartitionWriter& writer);
  // At the end of a walk.
  Status ReplaceEarliestPurgeable(StorageId table, std::optional<int64_t> since);
  bool IsWalking(StorageId table) const { return walk_.has_value() && walk_->whole_table && walk_->table == table; }
  const TableColumns* ColumnsOf(StorageId id) const;

  const SharedState shared_;
  std::shared_ptr<const LiveTables> tables_;  // As they were when the slice began.
  int64_t stored_timestamp_;
  int64_t written_timestamp_ = 0;  // Stored once the open transaction commits.
  ChildIds child_ids_;
  std::vector<PendingDeletionPtr> pending_deletions_;
  uint64_t next_pending_sequence_ = 1;
  std::vector<StorageId> retired_;
  std::vector<KeyExtent> retired_extents_;
  std::map<StorageId, int64_t> earliest_purgeable_;
  std::map<StorageId, int64_t> newest_tombstones_;
  std::map<uint64_t, Bytes> sweep_from_;  // By pending deletion: where its sweep goes on.
  std::optional<PurgeWalk> walk_;
  std::map<StorageId, int64_t> purge_rest_until_;   // Seconds: not to walk through a table all the time.
  Bytes memtable_look_from_;                        // Where MemtableIsDue() goes on.
  std::optional<Error> broken_;                     // After a failed sync: nothing is written any more.
};

}  // namespace widerow
