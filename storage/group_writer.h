// Writes into commit log and memtable, a group at a time. The writer's thread alone, and before it starts.
//
// Invariant: nothing comes into a memtable that a tombstone already there or in LMDB deletes; so a reader has to look for
// tombstones in memtables alone, and only for those that came after.
#pragma once

#include <chrono>
#include <span>

#include "storage/catalog_store.h"
#include "storage/derived_writes.h"
#include "storage/log/commit_log.h"
#include "storage/partition_counters.h"
#include "storage/purge_fence.h"
#include "storage/read_state.h"
#include "storage/view.h"

namespace widerow {

// A write on its way to the log.
struct QueuedWrite {
  Bytes encoded;  // write_codec.h; may hold nothing.
  DecideStep decide;
};

class GroupWriter {
 public:
  // What it shares with others; owned by the engine.
  struct Shared {
    SharedReadState& state;
    SnapshotPool& snapshots;
    PartitionCounters& counters;
    Published<LiveTables>& tables;
    std::atomic<int64_t>& last_timestamp;
    PurgeFence& fence;
  };

  GroupWriter(Shared shared, Durability durability) : shared_(shared), durability_(durability) {}

  // Start-up, in this order: what LMDB holds; the log's groups, their meta changes put into `records`; the whole schema.
  void Load(const StoredMeta& meta);
  Status Replay(const LogGroup& group, MetaRecords& records);
  void Start(SchemaPtr schema, StorageId next_storage_id, CommitLog& log);

  void SetDerivedWrites(std::shared_ptr<DerivedWrites> derived) { derived_ = std::move(derived); }

  // A record of the log holds so much at most: a write that comes to more is refused, a group that does is logged in parts. Tests
  // set less.
  void SetRecordBytesMax(size_t bytes) { record_bytes_max_ = bytes; }

  // Applies the writes in order and makes them durable as the durability asks; statuses[i] says how writes[i] ended. One
  // that is refused leaves nothing behind and does not hold up the others.
  void ApplyGroup(std::span<const QueuedWrite* const> writes, std::vector<Status>& statuses);
  // What it took to append the last group to the log and to sync it.
  std::chrono::steady_clock::duration log_time() const { return log_time_; }
  // Durable on return, whatever the durability.
  Status CommitSchema(const SchemaPtr& next);

  // CommitLog::TakeSpareWanted().
  bool TakeSpareWanted() { return log_->TakeSpareWanted(); }
  size_t active_bytes() const { return active_->bytes(); }
  // A memtable is being folded, of so many bytes; 0: none is.
  size_t folding_bytes() const { return shared_.state.frozen() == nullptr ? 0 : frozen_bytes_; }
  // A partition has so many range tombstones that every further one would cost.
  bool crowded() const { return crowded_; }
  // The active memtable is to be folded; another takes its place. False if there is nothing in it.
  bool Freeze();

 private:
  // Puts one write into the memtable under the next sequence number; what is left of it is appended to `out`.
  Status ApplyWrite(const QueuedWrite& write, Bytes& out);
  // Waits while the sweeper is about to purge a row that `encoded` writes to. True: it has waited, and what views have shown may
  // be out of date.
  bool WaitForPurge(ByteView encoded);
  Status Insert(ByteView encoded, WriteBuilder& out);
  // Tells derived_ what the rest of a partition's entries will change, before they do.
  Status NoteDerived(ByteView prefix, WriteReader entries, const TablePtr& table);
  // What derived tables need beside the write at hand, as a write.
  Result<Bytes> EncodeDerived();
  Status InsertEntry(ByteView prefix, const WriteEntry& entry, const TableColumns* columns, WriteBuilder& out);
  void InsertTombstone(ByteView prefix, const WriteEntry& entry);
  // Drops what tombstones delete of a fragment. Nothing left: an empty record.
  Result<Bytes> FilterRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns);
  bool MayBeDeleted(StorageId table, ByteView record) const;
  void InsertRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns);
  Result<SourceView*> View();
  // Logs writes [begin, end), those that have left something, and shows them; or takes them back.
  void Commit(size_t begin, size_t end, std::vector<Status>& statuses);
  // Appends the group up to sequence_ and makes it durable.
  Status Log(std::span<const ByteView> parts, bool sync);
  // What the group has done by now, as far as it can be taken back.
  struct Mark {
    size_t touched = 0, counted = 0;
  };
  Mark Here() const { return {touched_.size(), counted_.size()}; }
  void Undo(const Mark& to);
  void Count();
  void SetSchema(SchemaPtr schema);

  const Shared shared_;
  const Durability durability_;
  CommitLog* log_ = nullptr;
  SchemaPtr schema_;
  std::shared_ptr<const LiveTables> tables_ = std::make_shared<const LiveTables>();
  StorageId next_storage_id_ = 1;
  MemtablePtr active_;
  size_t frozen_bytes_ = 0;  // Of the memtable frozen last.
  uint64_t sequence_ = 0;  // The last one given.
  size_t record_bytes_max_ = log_format::kBodyBytesMax;
  std::map<StorageId, int64_t> newest_tombstones_;
  bool crowded_ = false;
  std::chrono::steady_clock::duration log_time_ = {};
  // What of a group is counted once it is in the log: writes that are refused count nothing.
  struct Counted {
    const TableSchema* table = nullptr;
    Bytes position;  // Of the partition; behind which anything may follow.
    uint64_t micros = 0;
    StoredCounters fresh;
  };
  StoredCounters fresh_;  // Of the partition at hand.
  std::vector<Counted> counted_;
  std::unique_ptr<SourceView> view_;  // Of the group; null until something asks.
  std::vector<std::pair<Memtable::Node*, uint64_t>> touched_;  // Of the group: node and sequence number.
  std::vector<Bytes> bodies_;                                  // Of the group: writes as they go to the log.
  std::shared_ptr<DerivedWrites> derived_;
  bool derives_ = false;  // The write at hand touches a table with derived ones.
  std::optional<Error> broken_;                                // The log is: nothing is written any more.
  Bytes key_;
};

}  // namespace widerow
