// Keeps the content of the data file that is not rows, such as pending deletions and retired tables, and runs the
// transactions that change the file. Folds (store_writer.h), sweeps (sweep.h) and purges (purge.h) change the file only
// through Transact(). Used on the folder's thread only, or before it starts. The StoreWriter owns it.
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

class DirectLog;

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
  LargeObjects& large;
  DirectLog* direct = nullptr;  // Null: direct changes are not logged.
};

class StoreState {
 public:
  StoreState(SharedState shared, StoredMeta meta);

  const SharedState& shared() const { return shared_; }

  // Lets tables() return the tables of the current schema. Retires the tables and extents that this schema no longer
  // has; the log already says that they are gone. Called at the beginning of each slice of a fold or sweep.
  void TakeTables();
  // Returns the tables that the last TakeTables() has found.
  const LiveTables& tables() const { return *tables_; }
  // Returns null if no table uses the id any more.
  const TableColumns* ColumnsOf(StorageId id) const;

  // Runs `body` in a transaction, stores the changes of `body` that are not rows, and commits. After an error either
  // nothing has changed or broken() is set.
  Status Transact(const std::function<Status(WriteContext&)>& body);
  // Set when a commit has failed for another reason than lack of room. Nothing is written to the data file after that.
  const std::optional<Error>& broken() const { return broken_; }
  bool timestamp_is_stored() const { return shared_.last_timestamp.load() == stored_timestamp_; }
  // Counts the rows and bytes that `writer` has added to the partition with this prefix. Called in the body of
  // Transact.
  void Count(WriteContext& context, const TableColumns& columns, ByteView prefix, const PartitionWriter& writer);

  // Counts bytes of the partition that belong to no row. Does nothing if the partition is gone.
  void CountBytes(WriteContext& context, ByteView prefix, int64_t bytes);

  // Returns the deletions that are not applied to all of their rows yet.
  const std::vector<PendingDeletionPtr>& pending_deletions() const { return pending_deletions_; }
  // Return the storage ids of dropped and truncated tables, and the key ranges of dropped and truncated partitions,
  // whose rows are still to be removed.
  const std::vector<StorageId>& retired() const { return retired_; }
  const std::vector<KeyExtent>& retired_extents() const { return retired_extents_; }
  void Retire(StorageId id);
  void Retire(KeyExtent extent);
  // Called after a transaction that has removed the rows of a retired table or extent together with its record in the
  // meta database.
  void ForgetRetired(StorageId id);
  void ForgetRetired(const KeyExtent& extent);

  // Returns, by table, the earliest `since` (purge_times.h) of the stored content. A table without purgeable content
  // has no entry.
  const std::map<StorageId, int64_t>& earliest_purgeable() const { return earliest_purgeable_; }
  // Begins a walk that purges the table. Removes the table's entry from earliest_purgeable(). Until the end of the
  // walk, transactions make a new entry with the earliest `since` of what they store. Only one walk can be under way.
  void BeginWalk(StorageId table);
  // Ends the walk and stores the table's new entry of earliest_purgeable(). `left_since`: the earliest `since` of the
  // purgeable content that the walk did not remove; nullopt if it removed all. If this fails, the walk is still under
  // way.
  Status EndWalk(std::optional<int64_t> left_since);
  // Ends a walk whose table is gone.
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
