// Everything that changes the data directory: groups of writes, schema changes, sweeping. One transaction each. Writer
// thread only (or before it starts).
#pragma once

#include <span>

#include "storage/catalog_store.h"
#include "storage/engine.h"
#include "storage/partition_counters.h"
#include "storage/partition_writer.h"

namespace widerow {

// What the writer shares with readers; owned by the engine.
struct SharedState {
  lmdb::Env& env;
  SharedOverlay& overlay;
  PartitionCounters& counters;
  Clock& clock;
  std::atomic<int64_t>& last_timestamp;
};

class StoreWriter {
 public:
  StoreWriter(SharedState shared, StoredMeta meta);

  // Applies the writes in order in one commit; statuses[i] says how writes[i] ended. A write that fails leaves nothing
  // behind and does not hold up the others.
  void ApplyGroup(std::span<const Write* const> writes, std::vector<Status>& statuses);

  Status CommitSchema(const SchemaPtr& next);
  Status StoreTimestamp();  // At shutdown.

  // Does some milliseconds of sweeping in a transaction of its own: big deletions, then rows of former storage ids,
  // then what gc_grace no longer protects. False: nothing to do now.
  Result<bool> SweepSlice();
  bool SweepIsDue() const;

  const SchemaPtr& schema() const { return schema_; }

 private:
  friend class Sweep;
  // Walks one table for what may be purged.
  struct PurgeWalk {
    StorageId table = 0;
    Bytes from;
  };

  Status Transact(const std::function<Status(WriteContext&)>& body);
  Status StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group);
  Status FailedCommit(lmdb::Rc rc);
  void TakeOver(GroupState group);

  // False: a write failed half-way, the transaction must be given up.
  bool ApplyPlainly(WriteContext& context, std::span<const Write* const> writes, std::vector<Status>& statuses);
  Status ApplyApart(WriteContext& context, const Write& write);
  Status ApplyWrite(WriteContext& context, const Write& write, bool& touched);
  Status ApplyMutation(WriteContext& context, const Mutation& mutation, bool& touched);
  Status ApplyPartition(WriteContext& context, const PartitionMutation& mutation);
  const TableColumns* ColumnsOf(StorageId id);
  void SetSchema(SchemaPtr schema);

  const SharedState shared_;
  SchemaPtr schema_;
  std::map<StorageId, std::unique_ptr<TableColumns>> tables_;  // Of the schema, by storage id.
  StorageId next_storage_id_;
  int64_t stored_timestamp_;
  int64_t written_timestamp_ = 0;  // Stored once the open transaction commits.
  ChildIds child_ids_;
  std::vector<PendingDeletionPtr> pending_deletions_;
  uint64_t next_pending_sequence_ = 1;
  std::vector<StorageId> retired_;
  std::map<StorageId, int64_t> earliest_purgeable_;
  std::map<uint64_t, Bytes> sweep_from_;  // By pending deletion: where its sweep goes on.
  std::optional<PurgeWalk> walk_;
  std::map<StorageId, int64_t> next_walk_seconds_;  // Not to walk a table all the time.
  std::optional<Error> broken_;                     // After a failed sync: nothing is written any more.
};

}  // namespace widerow
