// Every change of the data file goes through Transact(), which runs a body in one LMDB transaction, stores what has
// changed beside rows (StoreGroupState), commits, and then takes these changes over into the members (TakeOver). A fold
// walks the memtable by key: FoldSlice is one transaction, FoldSome stops after 20 ms or 8 MiB, FoldPartition gives the
// rows of a partition to a PartitionWriter. The last slice also stores schema changes and the sequence number that is
// folded through (FoldExtras). Sweeping is in sweep.cc and purge.cc.
#include "storage/fold/store_writer.h"

#include <chrono>

#include "storage/format/key_codec.h"
#include "types/position.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kFoldSliceTime = std::chrono::milliseconds(20);
constexpr size_t kFoldSliceBytes = 8u << 20;
constexpr size_t kFoldStepRows = 256;
// A partition with fewer purgeable records in one step of a fold is not noted; the walk through the table finds them.
constexpr uint64_t kPurgeableNotedMin = 16;

size_t BytesOf(const Memtable::Version& version) {
  return version.record().size() + (version.tombstones() == nullptr ? 0 : version.tombstones()->ranges().size() * 64);
}

// Adds one node of the memtable to the mutation of its partition.
Status AddTo(PartitionMutation& mutation, RecordKind kind, ByteView rest, const Memtable::Version& version) {
  if (kind == RecordKind::kHeader) {
    mutation.partition_deletion = version.tombstones()->partition();
    for (const auto& range : version.tombstones()->ranges()) {
      mutation.range_deletions.push_back({{range->begin, range->end}, range->deletion});
    }
    return OkStatus();
  }
  StoredRow row;
  if (!DecodeRow(version.record(), row)) return ServerError("Damaged record of a write in memory");
  mutation.rows.push_back({kind == RecordKind::kStatic, Bytes(rest), std::move(row.content)});
  return OkStatus();
}

}  // namespace

StoreWriter::StoreWriter(SharedState shared, StoredMeta meta)
    : shared_(shared),
      stored_timestamp_(meta.last_timestamp),
      child_ids_{meta.next_child_id},
      pending_deletions_(std::move(meta.pending_deletions)),
      retired_(std::move(meta.retired)),
      retired_extents_(std::move(meta.retired_extents)),
      earliest_purgeable_(std::move(meta.earliest_purgeable)),
      newest_tombstones_(std::move(meta.newest_tombstones)) {
  for (const PendingDeletionPtr& pending : pending_deletions_) {
    next_pending_sequence_ = std::max(next_pending_sequence_, pending->sequence + 1);
  }
  if (!pending_deletions_.empty()) shared_.state.PublishOverlay(pending_deletions_);
  for (const auto& [table, since] : earliest_purgeable_) {
    shared_.ledger.Change(table, [since = since](PurgeStatistics& out) { out.oldest_seconds = since; });
  }
  tables_ = shared_.tables.Load();
}

void StoreWriter::TakeTables() {
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

void StoreWriter::Retire(StorageId id) {
  if (std::find(retired_.begin(), retired_.end(), id) == retired_.end()) retired_.push_back(id);
}

void StoreWriter::Retire(KeyExtent extent) {
  const bool known = std::find(retired_extents_.begin(), retired_extents_.end(), extent) != retired_extents_.end();
  if (!known) retired_extents_.push_back(std::move(extent));
}

const TableColumns* StoreWriter::ColumnsOf(StorageId id) const {
  const auto found = tables_->find(id);
  return found == tables_->end() ? nullptr : found->second.get();
}

// Runs `body` in a transaction, stores what has changed beside rows, and commits.
Status StoreWriter::Transact(const std::function<Status(WriteContext&)>& body) {
  if (broken_.has_value()) return *broken_;
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
  // Published before the commit: no snapshot that sees the deletions may lack the overlay. Older snapshots ignore them.
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

Status StoreWriter::StoreGroupState(lmdb::WriteTxn& txn, const GroupState& group) {
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
    // While a table is walked, the stored time is earlier than all of these. The end of the walk replaces it.
    if (IsWalking(table) || (known != earliest_purgeable_.end() && known->second <= seconds)) continue;
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
    if (!added && at->second <= seconds) continue;
    at->second = seconds;
    if (IsWalking(table)) continue;
    shared_.ledger.Change(table, [since = seconds](PurgeStatistics& out) { out.oldest_seconds = since; });
  }
}

Status StoreWriter::ReplaceEarliestPurgeable(StorageId table, std::optional<int64_t> since) {
  WR_RETURN_IF_ERROR(
      Transact([&](WriteContext& context) { return StoreEarliestPurgeable(context.txn(), table, since); }));
  if (since.has_value()) {
    earliest_purgeable_[table] = *since;
  } else {
    earliest_purgeable_.erase(table);
  }
  shared_.ledger.Change(table, [&](PurgeStatistics& out) { out.oldest_seconds = since; });
  return OkStatus();
}

// A commit that found no room has changed nothing and can be tried again. After any other failure the state of the disk
// is unknown, and a later sync that succeeds would prove nothing: this process writes no more.
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

Result<bool> StoreWriter::FoldSlice(Fold& fold) {
  TakeTables();
  Fold at = fold;
  bool done = false;
  Status folded = Transact([&](WriteContext& context) -> Status {
    WR_RETURN_IF_ERROR(FoldSome(context, at));
    if (at.next != nullptr) return OkStatus();
    done = true;
    return FoldExtras(context, at.memtable->extras());
  });
  WR_RETURN_IF_ERROR(std::move(folded));
  fold = at;
  if (done) TakeOver(fold.memtable->extras());
  return done;
}

Status StoreWriter::FoldSome(WriteContext& context, Fold& fold) {
  const SteadyClock::time_point end = SteadyClock::now() + kFoldSliceTime;
  const Memtable::Node* slice_begin = fold.next;
  const size_t bytes_max = fold.bytes + kFoldSliceBytes;
  while (fold.next != nullptr && fold.bytes < bytes_max && SteadyClock::now() < end) {
    WR_RETURN_IF_ERROR(FoldPartition(context, fold));
    for (; slice_begin != fold.next; slice_begin = slice_begin->next()) {
      const Memtable::Version* version = slice_begin->VersionAt(fold.memtable->extras().last_sequence);
      if (version != nullptr) fold.bytes += slice_begin->key().size() + BytesOf(*version);
    }
  }
  return OkStatus();
}

Status StoreWriter::FoldPartition(WriteContext& context, Fold& fold) {
  const size_t prefix_size = PartitionPrefixSize(fold.next->key());
  const ByteView prefix = fold.next->key().substr(0, prefix_size);
  const TableColumns* columns = FindLive(*tables_, prefix);
  PartitionMutation mutation;
  for (; fold.next != nullptr && mutation.rows.size() < kFoldStepRows; fold.next = fold.next->next()) {
    const ByteView key = fold.next->key();
    if (!key.starts_with(prefix)) break;
    const Memtable::Version* version = fold.next->VersionAt(fold.memtable->extras().last_sequence);
    if (version == nullptr || columns == nullptr) continue;
    const auto kind = static_cast<RecordKind>(key[prefix_size]);
    WR_RETURN_IF_ERROR(AddTo(mutation, kind, key.substr(prefix_size + 1), *version));
  }
  if (columns == nullptr) return OkStatus();
  const uint32_t partition = PartitionIdOf(*columns->table(), prefix.substr(sizeof(StorageId)));
  PartitionWriter writer(context, *columns, Bytes(prefix));
  WR_RETURN_IF_ERROR(writer.Apply(mutation));
  StoredCounters& delta = context.state().counters[{columns->table()->storage_id, partition}];
  delta.rows += writer.rows_delta();
  delta.bytes += writer.bytes_delta();
  if (mutation.partition_deletion.present()) shared_.sizes.Forget(prefix);
  shared_.sizes.Add(prefix, writer.rows_delta(), writer.bytes_delta());
  if (writer.purgeable_records() >= kPurgeableNotedMin) {
    shared_.ledger.AddFolded(prefix, writer.purgeable_records(), writer.purgeable_since());
  }
  return OkStatus();
}

Status StoreWriter::StoreSizes(lmdb::WriteTxn& txn) {
  for (auto& [table, sizes] : shared_.sizes.TakeChanges(*tables_)) {
    Bytes key(kSizesNote);
    AppendStorageId(table, key);
    WR_RETURN_IF_ERROR(StoreNote(txn, {std::move(key), std::move(sizes)}));
  }
  return OkStatus();
}

Status StoreWriter::FoldExtras(WriteContext& context, const Memtable::Extras& extras) {
  for (const MetaChange& change : extras.meta_changes) {
    WR_RETURN_IF_ERROR(StoreChange(context.txn(), change));
    const TablePtr table = TablePutBy(change);
    if (table != nullptr && !table->partitioning.by_token()) WR_RETURN_IF_ERROR(StoreCountersOf(context, *table));
  }
  for (const auto& [table, timestamp] : extras.newest_tombstones) {
    const auto known = newest_tombstones_.find(table);
    if (!tables_->contains(table) || (known != newest_tombstones_.end() && known->second >= timestamp)) continue;
    WR_RETURN_IF_ERROR(StoreNewestTombstone(context.txn(), table, timestamp));
  }
  WR_RETURN_IF_ERROR(StoreSizes(context.txn()));
  return StoreFoldedThrough(context.txn(), extras.last_sequence);
}

// A new entry of the map begins with the counters of the entries that it was made from. They have to survive a restart.
Status StoreWriter::StoreCountersOf(WriteContext& context, const TableSchema& table) {
  for (const PartitionRange& range : table.partition_map) {
    const std::pair entry(table.storage_id, range.id);
    const auto delta = context.state().counters.find(entry);
    const StoredCounters now =
        shared_.counters.After(entry, delta == context.state().counters.end() ? StoredCounters() : delta->second);
    WR_RETURN_IF_ERROR(StoreCounters(context.txn(), table.storage_id, range.id, now));
  }
  return OkStatus();
}

void StoreWriter::TakeOver(const Memtable::Extras& extras) {
  shared_.counters.Folded(extras.fresh);
  for (const MetaChange& change : extras.meta_changes) {
    if (const std::optional<StorageId> retired = RetiredBy(change)) Retire(*retired);
    if (std::optional<KeyExtent> retired = RetiredExtentBy(change)) Retire(std::move(*retired));
  }
  for (const auto& [table, timestamp] : extras.newest_tombstones) {
    int64_t& newest = newest_tombstones_.try_emplace(table, timestamp).first->second;
    newest = std::max(newest, timestamp);
  }
}

Status StoreWriter::Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body) {
  TakeTables();
  return Transact([&](WriteContext& context) { return body(context, *tables_); });
}

Status StoreWriter::StoreTimestamp() {
  if (shared_.last_timestamp.load() == stored_timestamp_) return OkStatus();
  return Transact([&](WriteContext& context) { return StoreSizes(context.txn()); });
}

}  // namespace widerow
