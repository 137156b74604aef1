// Transact() gives the body a WriteContext and a GroupState, which collects the changes that are not rows.
// StoreGroupState() stores these changes in the same transaction. After the commit, TakeOver() copies them into the
// members.
#include "storage/fold/store_state.h"

#include <algorithm>

#include "types/position.h"

namespace widerow {

StoreState::StoreState(SharedState shared, StoredMeta meta)
    : shared_(shared),
      stored_timestamp_(meta.last_timestamp),
      child_ids_{meta.next_child_id},
      pending_deletions_(std::move(meta.pending_deletions)),
      retired_(std::move(meta.retired)),
      retired_extents_(std::move(meta.retired_extents)),
      earliest_purgeable_(std::move(meta.earliest_purgeable)) {
  for (const PendingDeletionPtr& pending : pending_deletions_) {
    next_pending_sequence_ = std::max(next_pending_sequence_, pending->sequence + 1);
  }
  if (!pending_deletions_.empty()) shared_.state.PublishOverlay(pending_deletions_);
  for (const auto& [table, since] : earliest_purgeable_) {
    shared_.ledger.Change(table, [since = since](PurgeStatistics& out) { out.oldest_seconds = since; });
  }
  tables_ = shared_.tables.Load();
}

void StoreState::TakeTables() {
  std::shared_ptr<const LiveTables> now = shared_.tables.Load();
  if (now == tables_) return;
  for (const auto& [id, columns] : *tables_) {
    const auto found = now->find(id);
    if (found == now->end()) {
      Retire(id);
    } else if (found->second != columns && columns->table()->storage_id == id) {
      for (KeyExtent& lost : LostExtents(*columns->table(), *found->second->table())) Retire(std::move(lost));
    }
  }
  tables_ = std::move(now);
}

void StoreState::Retire(StorageId id) {
  if (std::find(retired_.begin(), retired_.end(), id) == retired_.end()) retired_.push_back(id);
}

void StoreState::Retire(KeyExtent extent) {
  const bool known = std::find(retired_extents_.begin(), retired_extents_.end(), extent) != retired_extents_.end();
  if (!known) retired_extents_.push_back(std::move(extent));
}

void StoreState::ForgetRetired(StorageId id) {
  std::erase(retired_, id);
  earliest_purgeable_.erase(id);
  shared_.ledger.Forget(id);
}

void StoreState::ForgetRetired(const KeyExtent& extent) { std::erase(retired_extents_, extent); }

const TableColumns* StoreState::ColumnsOf(StorageId id) const {
  const auto found = tables_->find(id);
  return found == tables_->end() ? nullptr : found->second.get();
}

Status StoreState::Transact(const std::function<Status(WriteContext&)>& body) {
  if (broken_.has_value()) return *broken_;
  shared_.sizes.Begin();
  Status done = TryTransact(body);
  if (!done.ok()) shared_.sizes.RollBack();
  return done;
}

Status StoreState::TryTransact(const std::function<Status(WriteContext&)>& body) {
  GroupState group;
  group.child_ids = child_ids_;
  group.pending_deletions = pending_deletions_;
  group.next_pending_sequence = next_pending_sequence_;
  WR_ASSIGN_OR_RETURN(lmdb::WriteTxn txn, lmdb::WriteTxn::Begin(shared_.env));
  {
    WriteContext context(txn, group, shared_.sizes, shared_.clock.NowSeconds());
    WR_RETURN_IF_ERROR(body(context));
  }
  WR_RETURN_IF_ERROR(StoreGroupState(txn, group));
  // The overlay is published before the commit, so that every snapshot that sees the deletions has the overlay. Older
  // snapshots ignore the new deletions.
  const bool adds = group.pending_changed && group.pending_deletions.size() >= pending_deletions_.size();
  if (adds) shared_.state.PublishOverlay(group.pending_deletions);
  if (const lmdb::Rc rc = txn.Commit(); !rc.ok()) {
    if (adds) shared_.state.PublishOverlay(pending_deletions_);
    return FailedCommit(rc);
  }
  if (group.pending_changed && !adds) shared_.state.PublishOverlay(group.pending_deletions);
  TakeOver(std::move(group));
  return OkStatus();
}

Status StoreState::StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group) {
  for (const auto& [entry, delta] : group.counters) {
    if (!tables_->contains(entry.first) || (delta.rows == 0 && delta.bytes == 0)) continue;
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
    // While a walk goes through a table, the stored `since` of the table is not changed. It says that a walk is due,
    // which is true until the walk has ended. EndWalk replaces it.
    if (walked_ == table || (known != earliest_purgeable_.end() && known->second <= seconds)) continue;
    WR_RETURN_IF_ERROR(StoreEarliestPurgeable(txn, table, seconds));
  }
  return OkStatus();
}

void StoreState::TakeOver(GroupState group) {
  stored_timestamp_ = written_timestamp_;
  child_ids_ = group.child_ids;
  pending_deletions_ = std::move(group.pending_deletions);
  next_pending_sequence_ = group.next_pending_sequence;
  for (const auto& [entry, delta] : group.counters) shared_.counters.Add(entry, delta);
  for (const auto& [table, seconds] : group.earliest_purgeable) {
    const auto [at, added] = earliest_purgeable_.try_emplace(table, seconds);
    if (!added && at->second <= seconds) continue;
    at->second = seconds;
    if (walked_ == table) continue;
    shared_.ledger.Change(table, [since = seconds](PurgeStatistics& out) { out.oldest_seconds = since; });
  }
  for (const uint64_t object : group.objects_stored) shared_.large.Stored(object);
  for (LargeObjects::Loose& removed : group.objects_removed) {
    shared_.large.Removed(removed.object, std::move(removed.prefix));
  }
}

void StoreState::CountBytes(WriteContext& context, ByteView prefix, int64_t bytes) {
  const TableColumns* columns = FindLive(*tables_, prefix);
  if (columns == nullptr) return;
  const uint32_t partition = PartitionIdOf(*columns->table(), prefix.substr(sizeof(StorageId)));
  context.state().counters[{columns->table()->storage_id, partition}].bytes += bytes;
  shared_.sizes.Add(prefix, 0, bytes);
}

void StoreState::Count(WriteContext& context, const TableColumns& columns, ByteView prefix,
                       const PartitionWriter& writer) {
  const uint32_t partition = PartitionIdOf(*columns.table(), prefix.substr(sizeof(StorageId)));
  StoredCounters& delta = context.state().counters[{columns.table()->storage_id, partition}];
  delta.rows += writer.rows_delta();
  delta.bytes += writer.bytes_delta();
  shared_.sizes.Add(prefix, writer.rows_delta(), writer.bytes_delta());
}

void StoreState::BeginWalk(StorageId table) {
  walked_ = table;
  earliest_purgeable_.erase(table);
}

Status StoreState::EndWalk(std::optional<int64_t> left_since) {
  const StorageId table = walked_.value();
  std::optional<int64_t> since = left_since;
  if (const auto noted = earliest_purgeable_.find(table); noted != earliest_purgeable_.end()) {
    since = std::min(noted->second, since.value_or(noted->second));
  }
  WR_RETURN_IF_ERROR(
      Transact([&](WriteContext& context) { return StoreEarliestPurgeable(context.txn(), table, since); }));
  if (since.has_value()) {
    earliest_purgeable_[table] = *since;
  } else {
    earliest_purgeable_.erase(table);
  }
  walked_.reset();
  shared_.ledger.Change(table, [&](PurgeStatistics& out) { out.oldest_seconds = since; });
  return OkStatus();
}

// Returns the error of a failed commit. A commit that found no room has changed nothing and can be tried again. After
// any other failure the state of the disk is unknown, and a later sync that succeeds would prove nothing. So this
// process writes no more.
Status StoreState::FailedCommit(lmdb::Rc rc) {
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

}  // namespace widerow
