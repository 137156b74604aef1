#include "storage/store_writer.h"

#include <chrono>

#include "base/limits.h"
#include "storage/key_codec.h"
#include "storage/view.h"

namespace widerow {
namespace {

uint64_t MicrosSince(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

Status CheckKey(const PartitionMutation& mutation) {
  const size_t size = mutation.partition_key.size();
  if (size <= limits::kKeyBytesMax) return OkStatus();
  return InvalidError("Key length of " + std::to_string(size) + " is longer than maximum of " +
                      std::to_string(limits::kKeyBytesMax));
}

}  // namespace

StoreWriter::StoreWriter(SharedState shared, StoredMeta meta)
    : shared_(shared),
      next_storage_id_(meta.next_storage_id),
      stored_timestamp_(meta.last_timestamp),
      child_ids_{meta.next_child_id},
      pending_deletions_(std::move(meta.pending_deletions)),
      retired_(std::move(meta.retired)),
      earliest_purgeable_(std::move(meta.earliest_purgeable)) {
  for (const PendingDeletionPtr& pending : pending_deletions_) {
    next_pending_sequence_ = std::max(next_pending_sequence_, pending->sequence + 1);
  }
  if (!pending_deletions_.empty()) shared_.overlay.Publish(pending_deletions_);
  shared_.counters.Reset(*meta.schema, meta.counters);
  SetSchema(std::move(meta.schema));
}

void StoreWriter::SetSchema(SchemaPtr schema) {
  schema_ = std::move(schema);
  std::map<StorageId, std::unique_ptr<TableColumns>> next;
  for (const auto& [name, keyspace] : schema_->keyspaces) {
    for (const auto& [table_name, table] : keyspace->tables) {
      auto& slot = next[table->storage_id];
      const auto old = tables_.find(table->storage_id);
      const bool same = old != tables_.end() && old->second != nullptr && old->second->table() == table;
      slot = same ? std::move(old->second) : std::make_unique<TableColumns>(table);
    }
  }
  tables_ = std::move(next);
}

const TableColumns* StoreWriter::ColumnsOf(StorageId id) {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : found->second.get();
}

// Runs `body` in a transaction with all that must be stored beside rows, and commits it.
Status StoreWriter::Transact(const std::function<Status(WriteContext&)>& body) {
  if (broken_.has_value()) return *broken_;
  GroupState group;
  group.child_ids = child_ids_;
  group.pending_deletions = pending_deletions_;
  group.next_pending_sequence = next_pending_sequence_;
  WR_ASSIGN_OR_RETURN(lmdb::WriteTxn txn, lmdb::WriteTxn::Begin(shared_.env));
  {
    WriteContext context(txn, group, shared_.clock.NowSeconds());
    WR_RETURN_IF_ERROR(body(context));
  }
  WR_RETURN_IF_ERROR(StoreGroupState(txn, group));
  // Before the commit, so that no snapshot with the deletions lacks the overlay; older snapshots ignore them.
  const bool adds = group.pending_changed && group.pending_deletions.size() >= pending_deletions_.size();
  if (adds) shared_.overlay.Publish(group.pending_deletions);
  if (const lmdb::Rc rc = txn.Commit(); !rc.ok()) {
    if (adds) shared_.overlay.Publish(pending_deletions_);
    return FailedCommit(rc);
  }
  if (group.pending_changed && !adds) shared_.overlay.Publish(group.pending_deletions);
  TakeOver(std::move(group));
  return OkStatus();
}

Status StoreWriter::StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group) {
  for (const auto& [entry, delta] : group.counters) {
    if (!tables_.contains(entry.first) || (delta.rows == 0 && delta.bytes == 0)) continue;
    WR_RETURN_IF_ERROR(StoreCounters(txn, entry.first, entry.second, shared_.counters.After(entry, delta)));
  }
  const int64_t timestamp = shared_.last_timestamp.load();
  if (timestamp != stored_timestamp_) WR_RETURN_IF_ERROR(StoreLastTimestamp(txn, timestamp));
  written_timestamp_ = timestamp;
  if (group.child_ids.next != child_ids_.next) WR_RETURN_IF_ERROR(StoreNextChildId(txn, group.child_ids.next));
  for (const PendingDeletionPtr& pending : group.pending_deletions) {
    if (pending->sequence >= next_pending_sequence_) WR_RETURN_IF_ERROR(StorePendingDeletion(txn, *pending));
  }
  for (const auto& [table, seconds] : group.earliest_purgeable) {
    const auto known = earliest_purgeable_.find(table);
    // While a table is walked, what is stored for it is older than all of this; the end of the walk replaces it.
    const bool walking = walk_.has_value() && walk_->table == table;
    if (walking || (known != earliest_purgeable_.end() && known->second <= seconds)) continue;
    WR_RETURN_IF_ERROR(StoreEarliestPurgeable(txn, table, seconds));
  }
  return OkStatus();
}

void StoreWriter::TakeOver(GroupState group) {
  stored_timestamp_ = written_timestamp_;
  child_ids_ = group.child_ids;
  pending_deletions_ = std::move(group.pending_deletions);
  next_pending_sequence_ = group.next_pending_sequence;
  for (const auto& [entry, delta] : group.counters) shared_.counters.Add(entry, delta);
  for (const auto& [table, seconds] : group.earliest_purgeable) {
    const auto [at, added] = earliest_purgeable_.try_emplace(table, seconds);
    if (!added) at->second = std::min(at->second, seconds);
  }
}

// A commit that found no room has changed nothing and may be tried again. After any other failure nobody knows what the
// disk holds, and a sync that succeeds later would prove nothing: no more writes in this process.
Status StoreWriter::FailedCommit(lmdb::Rc rc) {
  Error error = lmdb::ToError(rc, "committing");
  if (rc.map_full() || rc.disk_full()) {
    shared_.env.ClearStaleReaders();
    return error;
  }
  broken_ =
      ServerError("Writes are refused until the server is restarted: an earlier commit failed (" + error.message + ")",
                  "check the disk of the data directory, then restart");
  error.message += "; it is not known whether the write is on disk, and further writes are refused until a restart";
  return error;
}

void StoreWriter::ApplyGroup(std::span<const Write* const> writes, std::vector<Status>& statuses) {
  statuses.clear();
  statuses.resize(writes.size());
  bool plain = true;
  Status committed = Transact([&](WriteContext& context) -> Status {
    plain = ApplyPlainly(context, writes, statuses);
    return plain ? OkStatus() : Status(ServerError("A write of the group failed"));
  });
  if (!plain) {
    // One of them left the transaction half-changed. Again, each in a part of its own: slower, and rare.
    committed = Transact([&](WriteContext& context) -> Status {
      for (size_t i = 0; i < writes.size(); ++i) statuses[i] = ApplyApart(context, *writes[i]);
      return OkStatus();
    });
  }
  if (committed.ok()) return;
  for (Status& status : statuses) {
    if (status.ok()) status = committed.error();
  }
}

bool StoreWriter::ApplyPlainly(WriteContext& context, std::span<const Write* const> writes,
                               std::vector<Status>& statuses) {
  for (size_t i = 0; i < writes.size(); ++i) {
    const Write& write = *writes[i];
    bool touched = false;
    statuses[i] = ApplyWrite(context, write, touched);
    if (!statuses[i].ok() && touched) return false;
  }
  return true;
}

Status StoreWriter::ApplyApart(WriteContext& context, const Write& write) {
  WR_ASSIGN_OR_RETURN(lmdb::WriteTxn part, context.txn().BeginChild());
  GroupState state = context.state();
  {
    WriteContext part_context(part, state, context.now_seconds());
    bool touched = false;
    WR_RETURN_IF_ERROR(ApplyWrite(part_context, write, touched));
  }
  if (const lmdb::Rc rc = part.Commit(); !rc.ok()) return lmdb::ToError(rc, "writing");
  context.state() = std::move(state);
  return OkStatus();
}

Status StoreWriter::ApplyWrite(WriteContext& context, const Write& write, bool& touched) {
  WR_RETURN_IF_ERROR(ApplyMutation(context, write.mutation, touched));
  if (!write.decide) return OkStatus();
  Mutation decided;
  {
    OverlayPtr overlay;
    if (!context.state().pending_deletions.empty()) {
      overlay = std::make_shared<const Overlay>(context.state().pending_deletions);
    }
    TransactionView view(context.txn().ref(), std::move(overlay));
    WR_ASSIGN_OR_RETURN(decided, write.decide(view));
  }
  return ApplyMutation(context, decided, touched);
}

Status StoreWriter::ApplyMutation(WriteContext& context, const Mutation& mutation, bool& touched) {
  for (const PartitionMutation& partition : mutation) WR_RETURN_IF_ERROR(CheckKey(partition));
  for (const PartitionMutation& partition : mutation) {
    touched = true;
    WR_RETURN_IF_ERROR(ApplyPartition(context, partition));
  }
  return OkStatus();
}

Status StoreWriter::ApplyPartition(WriteContext& context, const PartitionMutation& mutation) {
  // The schema as committed counts, not the one that the write was made with. A table that is gone takes no writes.
  const TableColumns* columns = ColumnsOf(mutation.table->storage_id);
  if (columns == nullptr) return OkStatus();
  const auto start = std::chrono::steady_clock::now();
  Bytes prefix;
  AppendPartitionPrefix(mutation.table->storage_id, mutation.partition_key, prefix);
  const uint32_t partition = PartitionIdOf(*columns->table(), ByteView(prefix).substr(sizeof(StorageId), 8));
  PartitionWriter writer(context, *columns, std::move(prefix));
  WR_RETURN_IF_ERROR(writer.Apply(mutation));
  GroupState::Delta& delta = context.state().counters[{mutation.table->storage_id, partition}];
  delta.rows += writer.rows_delta();
  delta.bytes += writer.bytes_delta();
  delta.writes += 1;
  delta.micros += MicrosSince(start);
  return OkStatus();
}

Status StoreWriter::CommitSchema(const SchemaPtr& next) {
  const std::set<StorageId> before = StorageIdsOf(*schema_), after = StorageIdsOf(*next);
  std::vector<StorageId> retired;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(retired));
  StorageId next_id = next_storage_id_;
  for (const StorageId id : after) next_id = std::max(next_id, id + 1);
  Status stored = Transact([&](WriteContext& context) -> Status {
    WR_RETURN_IF_ERROR(StoreSchema(context.txn(), *schema_, *next));
    for (const StorageId id : retired) WR_RETURN_IF_ERROR(StoreRetired(context.txn(), id));
    return StoreNextStorageId(context.txn(), next_id);
  });
  WR_RETURN_IF_ERROR(std::move(stored));
  next_storage_id_ = next_id;
  retired_.insert(retired_.end(), retired.begin(), retired.end());
  shared_.counters.Reset(*next, {});
  SetSchema(next);
  return OkStatus();
}

Status StoreWriter::StoreTimestamp() {
  if (shared_.last_timestamp.load() == stored_timestamp_) return OkStatus();
  return Transact([](WriteContext&) { return OkStatus(); });
}

}  // namespace widerow
