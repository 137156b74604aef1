// The state that the data file has beside rows, and the transactions that change the file. Folds (store_writer.h),
// sweeps (sweep.h) and purges (purge.h) change the file only through Transact(). Used on the folder's thread only, or
// before it starts. The StoreWriter owns it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "storage/count/partition_counters.h"
#include "storage/count/partition_sizes.h"
#include "storage/count/purge_ledger.h"
#include "storage/count/stale_marks.h"
#include "storage/fold/catalog_store.h"
#include "storage/fold/partition_writer.h"
#include "storage/fold/purge_fence.h"
#include "storage/memtable/read_state.h"
#include "storage/storage_engine.h"

namespace widerow {

// Objects of the engine that the folder's thread shares with other threads.
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
  StaleMarks& stale;
};

class StoreState {
 public:
  StoreState(SharedState shared, StoredMeta meta);

  const SharedState& shared() const { return shared_; }

  // Takes over the current schema. Retires the tables and extents that it no longer has. The log already says that they
  // are gone. Called at the beginning of each slice.
  void TakeTables();
  // The tables at the beginning of the slice.
  const LiveTables& tables() const { return *tables_; }
  // Null if the table is gone.
  const TableColumns* ColumnsOf(StorageId id) const;

  // Runs `body` in a transaction, stores what it has changed beside rows, and commits. After an error nothing has
  // changed, or broken() is set.
  Status Transact(const std::function<Status(WriteContext&)>& body);
  // Set after a commit failed for another reason than lack of room: nothing is written any more.
  const std::optional<Error>& broken() const { return broken_; }
  bool timestamp_is_stored() const { return shared_.last_timestamp.load() == stored_timestamp_; }
  // Adds what `writer` has changed in a partition to the partition's counters. Called in the body of Transact.
  void Count(WriteContext& context, const TableColumns& columns, ByteView prefix, const PartitionWriter& writer);

  // Deletions that are not applied to all of their rows yet.
  const std::vector<PendingDeletionPtr>& pending_deletions() const { return pending_deletions_; }
  // Tables that are gone, and ranges of keys of partitions that are gone. Their rows are still to be removed.
  const std::vector<StorageId>& retired() const { return retired_; }
  const std::vector<KeyExtent>& retired_extents() const { return retired_extents_; }
  void Retire(StorageId id);
  void Retire(KeyExtent extent);
  // Called after a transaction has removed the rows of a retired table or extent, and its entry in the meta database.
  void ForgetRetired(StorageId id);
  void ForgetRetired(const KeyExtent& extent);

  // By table: the earliest `since` (purge_times.h) of what is stored. A table without purgeable content has no entry.
  const std::map<StorageId, int64_t>& earliest_purgeable() const { return earliest_purgeable_; }
  // Begins a walk through the table that purges it. It removes the table's entry in earliest_purgeable(); until the end
  // of the walk, transactions enter the earliest `since` of what they store. One walk at a time.
  void BeginWalk(StorageId table);
  // Ends the walk and stores the table's entry. `left_since`: the earliest `since` that the walk has left. After an
  // error the walk has not ended.
  Status EndWalk(std::optional<int64_t> left_since);
  // Ends the walk through a table that is gone.
  void AbandonWalk() { walked_.reset(); }

 private:
  Status TryTransact(const std::function<Status(WriteContext&)>& body);
  Status StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group);
  Status FailedCommit(lmdb::Rc rc);
  void TakeOver(GroupState group);

  const SharedState shared_;
  std::shared_ptr<const LiveTables> tables_;
  int64_t stored_timestamp_;
  int64_t written_timestamp_ = 0;  // The timestamp stored in the open transaction.
  ChildIds child_ids_;
  std::vector<PendingDeletionPtr> pending_deletions_;
  uint64_t next_pending_sequence_ = 1;
  std::vector<StorageId> retired_;
  std::vector<KeyExtent> retired_extents_;
  std::map<StorageId, int64_t> earliest_purgeable_;
  std::optional<StorageId> walked_;  // The table that a walk goes through.
  std::optional<Error> broken_;
};

}  // namespace widerow
