// Changes the data file: folds memtables into it, sweeps it, and applies bulk loads and notes (Apply). Each call is one
// transaction; folds and sweeps take some milliseconds, a slice of a bulk load up to 200 ms. Used on the folder's
// thread only, or before it starts. The Folder owns it.
#pragma once

#include "storage/count/partition_counters.h"
#include "storage/count/partition_sizes.h"
#include "storage/count/purge_ledger.h"
#include "storage/engine.h"
#include "storage/fold/catalog_store.h"
#include "storage/fold/partition_writer.h"
#include "storage/fold/purge_fence.h"
#include "storage/memtable/read_state.h"

namespace widerow {

// Objects of the engine that the StoreWriter shares with other threads.
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

  // The progress of a fold.
  struct Fold {
    const Memtable* memtable;
    const Memtable::Node* next;  // The next key; null: only Extras are left.
    size_t bytes = 0;            // Bytes of keys and records folded so far.
  };

  // Folds for some milliseconds in a transaction of its own. True if that was the last slice: the whole memtable is in
  // LMDB. After an error the same slice can be tried again. Content of tables that are gone is left out.
  Result<bool> FoldSlice(Fold& fold);
  Status StoreTimestamp();  // Called at shutdown.
  // Runs `body` with the current tables in a transaction of its own, and stores what has to be stored beside rows.
  Status Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body);

  // Sweeps for some milliseconds in a transaction of its own: first large deletions, then rows of retired storage ids
  // and partitions, then what gc_grace no longer protects. False if there is nothing to sweep now.
  Result<bool> SweepSlice();
  bool SweepIsDue();
  // True if the memtable should be folded because much of its content could be purged then. Each call looks at a part
  // of it.
  bool MemtableIsDue();

  // Set after a failed commit: nothing is written any more.
  const std::optional<Error>& broken() const { return broken_; }

 private:
  friend class Sweep;
  friend class Purge;
  // A walk through a table, or a visit to a partition, that looks for what may be purged.
  struct PurgeWalk {
    StorageId table = 0;
    Bytes from = {}, end;  // The keys that are left: [from, end).
    bool whole_table = false;
    int64_t begun = 0;  // In seconds.
    uint64_t examined = 0, purged = 0;
    // Records that may be purged one day, and the earliest `since` of them.
    uint64_t left = 0;
    int64_t left_since = std::numeric_limits<int64_t>::max();

    void Leave(uint64_t records, int64_t since) {
      left += records;
      left_since = std::min(left_since, since);
    }
  };

  // Takes over the current schema. Tables and extents that it no longer has are retired; that they are gone is in the
  // log already.
  void TakeTables();
  void Retire(StorageId id);
  void Retire(KeyExtent extent);
  Status Transact(const std::function<Status(WriteContext&)>& body);
  Status StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group);
  Status FailedCommit(lmdb::Rc rc);
  void TakeOver(GroupState group);

  Status FoldSome(WriteContext& context, Fold& fold);
  // Folds the rows of one partition, or as many of them as one step takes.
  Status FoldPartition(WriteContext& context, Fold& fold);
  Status StoreSizes(lmdb::WriteTxn& txn);
  Status FoldExtras(WriteContext& context, const Memtable::Extras& extras);
  // Stores the counters of a table whose partition map is new.
  Status StoreCountersOf(WriteContext& context, const TableSchema& table);
  void TakeOver(const Memtable::Extras& extras);
  // Adds what a sweep has changed in a partition to its counters.
  void CountSwept(WriteContext& context, const TableColumns& columns, ByteView prefix, const PartitionWriter& writer);
  // At the end of a walk: replaces the table's entry in earliest_purgeable_, also on disk.
  Status ReplaceEarliestPurgeable(StorageId table, std::optional<int64_t> since);
  bool IsWalking(StorageId table) const { return walk_.has_value() && walk_->whole_table && walk_->table == table; }
  const TableColumns* ColumnsOf(StorageId id) const;

  const SharedState shared_;
  std::shared_ptr<const LiveTables> tables_;  // The tables at the beginning of the slice.
  int64_t stored_timestamp_;
  int64_t written_timestamp_ = 0;  // The timestamp stored in the open transaction.
  ChildIds child_ids_;
  std::vector<PendingDeletionPtr> pending_deletions_;
  uint64_t next_pending_sequence_ = 1;
  std::vector<StorageId> retired_;
  std::vector<KeyExtent> retired_extents_;
  std::map<StorageId, int64_t> earliest_purgeable_;
  std::map<StorageId, int64_t> newest_tombstones_;
  std::map<uint64_t, Bytes> sweep_from_;  // By pending deletion: the clustering where its sweep goes on.
  std::optional<PurgeWalk> walk_;
  std::map<StorageId, int64_t> purge_rest_until_;  // In seconds: no walk through the table before.
  Bytes memtable_look_from_;                       // The key where MemtableIsDue() goes on.
  std::optional<Error> broken_;                    // Set after a failed commit: no more writes.
};

}  // namespace widerow
