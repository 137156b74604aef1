// Everything that changes the data file: folding memtables into it, and sweeping. In transactions of some milliseconds. The
// folder's thread only (or before it starts).
#pragma once

#include "storage/catalog_store.h"
#include "storage/engine.h"
#include "storage/partition_counters.h"
#include "storage/partition_sizes.h"
#include "storage/partition_writer.h"
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

  // After a failed sync nothing is written any more.
  const std::optional<Error>& broken() const { return broken_; }

 private:
  friend class Sweep;
  // Walks one table for what may be purged.
  struct PurgeWalk {
    StorageId table = 0;
    Bytes from;
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
  std::map<StorageId, int64_t> next_walk_seconds_;  // Not to walk a table all the time.
  std::optional<Error> broken_;                     // After a failed sync: nothing is written any more.
};

}  // namespace widerow
