// Puts groups of writes into the commit log and the memtable. Runs on the writer's thread; before that thread starts,
// on the thread that opens the engine. WriterThread owns it.
//
// Invariant: content that a tombstone in a memtable or in LMDB deletes is not put into a memtable. So reads of content
// in a memtable need not look for tombstones in LMDB.
#pragma once

#include <chrono>
#include <span>

#include "base/limits.h"
#include "storage/count/partition_counters.h"
#include "storage/count/stale_marks.h"
#include "storage/derived_writes.h"
#include "storage/fold/catalog_store.h"
#include "storage/fold/purge_fence.h"
#include "storage/log/commit_log.h"
#include "storage/memtable/read_state.h"
#include "storage/read/view.h"

namespace widerow {

// A write that waits for its group.
struct QueuedWrite {
  Bytes encoded;  // In the format of write_codec.h; may be empty.
  DecideStep decide;
  size_t decide_bytes = 0;  // See Write (storage/mutation.h).
  ConflictStep conflict;
};

class GroupWriter {
 public:
  // Objects of the engine that the writer shares with other threads.
  struct Shared {
    SharedReadState& state;
    SnapshotPool& snapshots;
    PartitionCounters& counters;
    Published<LiveTables>& tables;
    std::atomic<int64_t>& last_timestamp;
    PurgeFence& fence;
    StaleMarks& stale;
    Clock& clock;
  };

  GroupWriter(Shared shared, Durability durability) : shared_(shared), durability_(durability) {}

  // Called when the engine is opened, in this order. Load takes over what LMDB has. Replay takes one group of the log,
  // and puts the group's changes of the `meta` database into `records`. Start takes the schema that results.
  void Load(const StoredMeta& meta);
  Status Replay(const LogGroup& group, MetaRecords& records);
  void Start(SchemaPtr schema, StorageId next_storage_id, CommitLog& log);
  // Ends the replay of a database that is only read. It is called instead of Start, and no writes may follow.
  void StartReading(SchemaPtr schema) {
    active_->EndLoad();
    SetSchema(std::move(schema));
  }

  void SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) { derived_ = std::move(derived); }

  // Sets the greatest size of a record of the log; tests set a small one. A larger write is refused. A larger group is
  // logged in several records.
  void SetRecordBytesMax(size_t bytes) { record_bytes_max_ = bytes; }
  // Sets the most bytes that one write may add to the memtable; tests set a small number. A write that adds more is
  // refused.
  void SetWriteMemoryMax(size_t bytes) { write_memory_max_ = bytes; }

  // Applies writes in order and makes them as durable as the durability mode requires. Stops after the write with which
  // the group has added `memory_max` bytes to the memtable, so that the memtable can be frozen before the next write.
  // Returns the number of writes applied or refused, which is at least one; statuses[i] is the outcome of writes[i]. A
  // refused write leaves nothing visible and does not affect the others.
  size_t ApplyGroup(std::span<const QueuedWrite* const> writes, size_t memory_max, std::vector<Status>& statuses);
  // Returns the error of the last attempt to append to the log or to sync it; nullopt if it succeeded.
  const std::optional<Error>& log_error() const { return log_error_; }
  // Returns the time that it took to append the last group to the log and to sync it.
  std::chrono::steady_clock::duration log_time() const { return log_time_; }
  // Makes `next` the schema. It is durable on return in every durability mode.
  Status CommitSchema(const SchemaPtr& next);

  // Logs a direct group (direct_log.h); durable on return. It has a sequence number like any other group.
  Status LogDirect(ByteView group);
  // Returns the direct groups that Replay has met, in order.
  std::vector<Bytes> TakeDirectGroups() { return std::move(direct_groups_); }

  // See CommitLog::TakeSpareWanted().
  bool TakeSpareWanted() { return log_->TakeSpareWanted(); }
  size_t active_bytes() const { return active_->bytes(); }
  // Returns the bytes of the memtable that is being folded; 0 if there is none.
  size_t folding_bytes() const { return shared_.state.frozen() == nullptr ? 0 : frozen_bytes_; }
  // Returns the number of memtables frozen so far.
  uint64_t freezes() const { return freezes_; }
  // Freezes the active memtable, so that it is folded, and begins another one. Returns false if a fold would change
  // nothing, because the active memtable is empty and no direct group was logged after the last call.
  bool Freeze();

 private:
  // A point in the group to which Undo can go back.
  struct Mark {
    size_t touched = 0, counted = 0, stale = 0;
  };
  // Puts one write into the memtable under the next sequence number. Sets `out` to the part of the write that has to be
  // logged. `out` stays empty if nothing has to be logged, because tombstones delete the content or the table is gone.
  Status ApplyWrite(const QueuedWrite& write, Bytes& out);
  // Does what ApplyWrite does, but returns an error if that throws for lack of memory. Undo is then possible as after
  // other errors.
  Status TryToApply(const QueuedWrite& write, Bytes& out);
  // Waits while the sweeper purges a row to which `encoded` writes. Returns true if it has waited. Read views that
  // were opened before may then be out of date.
  bool WaitForPurge(ByteView encoded);
  // Puts an encoded write into the memtable, and what has to be logged of it into builder_.
  Status Insert(ByteView encoded);
  // Tells derived_ which rows the remaining entries of a partition will change. Called before these rows change.
  Status NoteDerived(ByteView prefix, WriteReader entries, const TablePtr& table);
  // Returns the changes of derived tables that the current write causes.
  Result<DerivedChanges> Derive();
  // Returns conflict.error. But if the write has a conflict step and conflict.holder is set, undoes the write back to
  // `begin`, where it began, and returns the status that the step returns.
  Status RefuseConflict(const UniqueConflict& conflict, const QueuedWrite& write, const Mark& begin);
  Status InsertEntry(ByteView prefix, const WriteEntry& entry, const TableColumns* columns);
  // Errors of InsertTombstone and InsertRow: kServerError for a damaged record.
  Status InsertTombstone(ByteView prefix, const WriteEntry& entry);
  // Removes from a fragment what tombstones delete. Returns the record that remains; empty if nothing remains.
  Result<Bytes> FilterRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns);
  bool MayBeDeleted(StorageId table, ByteView record) const;
  Status InsertRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns);
  // Refuses the current write if it is too long for a record of the log or takes too much memory. `bytes` is the length
  // in the log of the part that has been inserted so far.
  Status CheckSize(size_t bytes) const;
  Result<SourceView*> View();
  // Logs the results of ApplyWrite for the writes [begin, end) as one record, and makes these writes visible. If
  // logging fails, removes the writes from the memtable and sets their statuses.
  void Commit(size_t begin, size_t end, std::vector<Status>& statuses);
  // Appends `parts` to the log as a group that ends at the sequence number sequence_. Syncs the log if `sync` is set.
  Status Log(std::span<const ByteView> parts, bool sync);
  Mark Here() const { return {touched_.size(), counted_.size(), stale_.size()}; }
  void Undo(const Mark& to);
  void Count();
  // Marks the base tables in stale_, whose writes are visible now, as tables with stale derived rows.
  void MarkStale();
  void SetSchema(SchemaPtr schema);

  const Shared shared_;
  const Durability durability_;
  CommitLog* log_ = nullptr;
  SchemaPtr schema_;
  std::shared_ptr<const LiveTables> tables_ = std::make_shared<const LiveTables>();
  StorageId next_storage_id_ = 1;
  MemtablePtr active_;
  size_t frozen_bytes_ = 0;  // The size of the memtable that was frozen last.
  uint64_t freezes_ = 0;
  uint64_t sequence_ = 0;       // The last sequence number that was assigned.
  int64_t group_micros_ = 0;    // The time of the last group in the log. The times of groups never decrease.
  bool direct_logged_ = false;  // True if a direct group was logged after the last Freeze.
  std::vector<Bytes> direct_groups_;
  size_t record_bytes_max_ = log_format::kBodyBytesMax;
  size_t write_memory_max_ = limits::kWriteMemoryMax;
  size_t memory_before_write_ = 0;  // The bytes of the memtable before the current write.
  std::map<StorageId, int64_t> newest_tombstones_;
  std::chrono::steady_clock::duration log_time_ = {};
  // A write to a partition. It is counted when its group is in the log, so refused writes are not counted.
  struct Counted {
    const TableSchema* table = nullptr;
    // Begins with the partition's position. More bytes may follow the position.
    Bytes position;
    uint64_t micros = 0;
    StoredCounters fresh;
  };
  StoredCounters fresh_;  // New rows in the current partition.
  std::vector<Counted> counted_;
  std::unique_ptr<SourceView> view_;  // The view of this group; null until it is needed.
  // The nodes that this group has changed, each with the sequence number of the change.
  std::vector<std::pair<Memtable::Node*, uint64_t>> touched_;
  WriteBuilder builder_;       // The part of the current write that must be logged.
  std::vector<Bytes> bodies_;  // For each write of this group, the bytes to log.
  std::shared_ptr<DerivedWrites> derived_;
  bool derives_ = false;  // True if the current write touches a table that has derived tables.
  // The base tables whose derived tables may have stale rows because of writes of this group.
  std::vector<StorageId> stale_;
  std::optional<Error> broken_;  // Set if the log is broken. Then all writes are refused.
  std::optional<Error> log_error_;
  Bytes key_;
};

}  // namespace widerow
