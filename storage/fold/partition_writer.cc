// Apply() reads the stored tombstones of the partition, applies the deletions of the mutation, and then its rows. A
// deletion is stored as the partition's header or as a range tombstone, and is applied to the rows that it covers
// (DeleteRows). If it covers more than kRowsDeletedAtOnceMax rows, a pending deletion covers the remaining rows.
// ChangeRow in change_row.cc changes one row.
#include "storage/fold/partition_writer.h"

#include "storage/format/damage.h"
#include "storage/reconcile/merge.h"
#include "storage/reconcile/range_tombstones.h"

namespace widerow {
namespace {

constexpr size_t kKeysAtOnce = 256;

// True if the record shows in its first bytes that `deletion` changes nothing in the row: the row is uniform, has no
// TTL and no deletion, and is newer than `deletion`. False means that the first bytes do not show it.
bool IsUntouchedBy(ByteView record, const DeletionTime& deletion) {
  if (record.size() < 10 || MayBePurgeable(record)) return false;
  return ReadBigEndian<int64_t>(record.data() + 2) > deletion.timestamp;
}

Bytes JustAfter(ByteView clustering) {
  Bytes out(clustering);
  out.push_back('\0');
  return out;
}

}  // namespace

PartitionWriter::PartitionWriter(WriteContext& context, const TableColumns& columns, Bytes partition_prefix)
    : context_(context),
      columns_(columns),
      prefix_(std::move(partition_prefix)),
      storage_id_(ReadBigEndian<StorageId>(prefix_.data())),
      purge_times_{context.now_seconds(), columns.table()->options.gc_grace_seconds},
      spills_(context, columns, prefix_) {}

Bytes PartitionWriter::KeyOf(RecordKind kind, ByteView rest) const {
  Bytes key;
  key.reserve(prefix_.size() + 1 + rest.size());
  key.append(prefix_);
  AppendKind(kind, key);
  key.append(rest);
  return key;
}

Error PartitionWriter::Damaged(ByteView key, std::string_view what) const {
  return DamagedRecord(*columns_.table(), key, what);
}

void PartitionWriter::NotePurgeable(int64_t since) {
  ++purgeable_records_;
  purgeable_since_ = std::min(purgeable_since_, since);
  const auto [at, added] = context_.state().earliest_purgeable.try_emplace(storage_id_, since);
  if (!added) at->second = std::min(at->second, since);
}

Status PartitionWriter::Apply(PartitionMutation&& mutation) {
  WR_RETURN_IF_ERROR(LoadTombstones());
  if (mutation.partition_deletion.present()) WR_RETURN_IF_ERROR(DeletePartition(mutation.partition_deletion));
  for (const RangeDeletion& deletion : mutation.range_deletions) WR_RETURN_IF_ERROR(DeleteRange(deletion));
  for (RowMutation& row : mutation.rows) {
    RowChange change{.kind = RowChange::Kind::kMerge,
                     .is_static = row.is_static,
                     .clustering = row.clustering,
                     .incoming = &row.content,
                     .covering = header_};
    if (!row.is_static && has_range_tombstones_) {
      WR_ASSIGN_OR_RETURN(const DeletionTime covering, CoveringOf(row.clustering));
      change.covering = Newer(header_, covering);
    }
    WR_RETURN_IF_ERROR(ChangeRow(change));
  }
  return OkStatus();
}

// Reads the stored deletion of the partition and sets has_range_tombstones_. Nearly all partitions have no tombstones.
// For these, one seek is enough, and one step more if there is a static row.
Status PartitionWriter::LoadTombstones() {
  WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
  lmdb::Rc rc = cursor->SeekAtOrAfter(prefix_);
  const Bytes header_key = KeyOf(RecordKind::kHeader);
  if (rc.ok() && cursor->key() == header_key) {
    if (!DecodeHeader(cursor->value(), header_)) return Damaged(header_key, "partition header");
    rc = cursor->Next();
  }
  if (rc.ok() && cursor->key() == KeyOf(RecordKind::kStatic)) rc = cursor->Next();
  has_range_tombstones_ = rc.ok() && cursor->key().starts_with(KeyOf(RecordKind::kRangeTombstone));
  return CheckRc(rc, "reading");
}

Status PartitionWriter::DeletePartition(const DeletionTime& deletion) {
  if (Newer(header_, deletion) == header_) return OkStatus();
  header_ = deletion;
  NotePurgeable(deletion.local_seconds);
  WR_RETURN_IF_ERROR(context_.Put(KeyOf(RecordKind::kHeader), EncodeHeader(deletion)));
  if (has_range_tombstones_) WR_RETURN_IF_ERROR(DropCoveredRangeTombstones(deletion));
  WR_RETURN_IF_ERROR(ChangeRow({.kind = RowChange::Kind::kDelete, .is_static = true, .covering = deletion}));
  return DeleteOrDefer({}, std::nullopt, deletion);
}

Status PartitionWriter::DeleteRange(const RangeDeletion& deletion) {
  const auto& [range, time] = deletion;
  if (header_.Deletes(time.timestamp) || (range.end.has_value() && *range.end <= range.begin)) return OkStatus();
  NotePurgeable(time.local_seconds);
  WR_RETURN_IF_ERROR(StoreRangeTombstone({range.begin, range.end, time}));
  has_range_tombstones_ = true;
  return DeleteOrDefer(range.begin, range.end, time);
}

Status PartitionWriter::DeleteOrDefer(Bytes begin, const std::optional<Bytes>& end, const DeletionTime& deletion) {
  WR_ASSIGN_OR_RETURN(std::optional<Bytes> rest, DeleteRows(std::move(begin), end, deletion, kRowsDeletedAtOnceMax));
  if (!rest.has_value()) return OkStatus();
  GroupState& state = context_.state();
  auto pending = std::make_shared<PendingDeletion>();
  pending->sequence = state.next_pending_sequence++;
  pending->txn_id = context_.txn().ref().id();
  pending->partition_prefix = prefix_;
  pending->begin = std::move(*rest);
  pending->end = end;
  pending->deletion = deletion;
  state.pending_deletions.push_back(std::move(pending));
  state.pending_changed = true;
  return OkStatus();
}

Result<std::optional<Bytes>> PartitionWriter::DeleteRows(Bytes begin, const std::optional<Bytes>& end,
                                                         const DeletionTime& deletion, size_t rows_max) {
  const Bytes rows = KeyOf(RecordKind::kRow);
  const Bytes end_key = end.has_value() ? rows + *end : SuccessorOfPrefix(rows);
  Bytes from = rows + begin;
  for (size_t seen = 0; seen < rows_max;) {
    std::vector<Bytes> touched;
    WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
    lmdb::Rc rc = cursor->SeekAtOrAfter(from);
    for (; rc.ok() && cursor->key() < end_key && touched.size() < kKeysAtOnce && seen < rows_max; rc = cursor->Next()) {
      ++seen;
      from = JustAfter(cursor->key());
      if (!IsUntouchedBy(cursor->value(), deletion)) touched.emplace_back(cursor->key().substr(rows.size()));
    }
    WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
    const bool more = rc.ok() && cursor->key() < end_key;
    for (const Bytes& clustering : touched) {
      WR_RETURN_IF_ERROR(ChangeRow({.kind = RowChange::Kind::kDelete, .clustering = clustering, .covering = deletion}));
    }
    if (!more) return std::optional<Bytes>();
  }
  return std::optional<Bytes>(from.substr(rows.size()));
}

Result<std::vector<RangeTombstone>> PartitionWriter::RangeTombstonesIn(const Bytes& begin,
                                                                       const std::optional<Bytes>& end) {
  const Bytes kind = KeyOf(RecordKind::kRangeTombstone);
  WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
  std::vector<RangeTombstone> found;
  // The last tombstone that begins before `begin` may reach into the range.
  lmdb::Rc rc = cursor->SeekBefore(kind + begin);
  WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
  if (!rc.ok() || !cursor->key().starts_with(kind)) rc = cursor->SeekAtOrAfter(kind + begin);
  for (; rc.ok() && cursor->key().starts_with(kind); rc = cursor->Next()) {
    RangeTombstone tombstone{.begin = Bytes(cursor->key().substr(kind.size()))};
    if (end.has_value() && tombstone.begin > *end) break;
    if (!DecodeRangeTombstone(cursor->value(), tombstone)) return Damaged(cursor->key(), "range tombstone");
    if (!tombstone.end.has_value() || *tombstone.end >= begin) found.push_back(std::move(tombstone));
  }
  WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
  return found;
}

Status PartitionWriter::StoreRangeTombstone(const RangeTombstone& added) {
  WR_ASSIGN_OR_RETURN(const std::vector<RangeTombstone> old, RangeTombstonesIn(added.begin, added.end));
  const std::vector<RangeTombstone> next = AddRangeTombstone(old, added);
  for (const RangeTombstone& tombstone : old) {
    WR_RETURN_IF_ERROR(context_.Delete(KeyOf(RecordKind::kRangeTombstone, tombstone.begin)));
  }
  for (const RangeTombstone& tombstone : next) {
    WR_RETURN_IF_ERROR(
        context_.Put(KeyOf(RecordKind::kRangeTombstone, tombstone.begin), EncodeRangeTombstone(tombstone)));
  }
  return OkStatus();
}

Status PartitionWriter::DropCoveredRangeTombstones(const DeletionTime& deletion) {
  WR_ASSIGN_OR_RETURN(const std::vector<RangeTombstone> all, RangeTombstonesIn({}, std::nullopt));
  for (const RangeTombstone& tombstone : all) {
    if (!deletion.Deletes(tombstone.deletion.timestamp)) continue;
    WR_RETURN_IF_ERROR(context_.Delete(KeyOf(RecordKind::kRangeTombstone, tombstone.begin)));
  }
  return OkStatus();
}

Result<DeletionTime> PartitionWriter::CoveringOf(ByteView clustering) {
  const Bytes kind = KeyOf(RecordKind::kRangeTombstone);
  WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
  const lmdb::Rc rc = cursor->SeekBefore(JustAfter(kind + Bytes(clustering)));
  WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
  if (!rc.ok() || !cursor->key().starts_with(kind)) return DeletionTime();
  RangeTombstone tombstone;
  if (!DecodeRangeTombstone(cursor->value(), tombstone)) return Damaged(cursor->key(), "range tombstone");
  const bool covers = !tombstone.end.has_value() || clustering < *tombstone.end;
  return covers ? tombstone.deletion : DeletionTime();
}

Status PartitionWriter::PurgeRow(bool is_static, ByteView clustering) {
  return ChangeRow({.kind = RowChange::Kind::kPurge, .is_static = is_static, .clustering = clustering});
}

Status PartitionWriter::PurgeHeader() {
  const Bytes key = KeyOf(RecordKind::kHeader);
  ByteView record;
  WR_ASSIGN_OR_RETURN(const bool found, context_.Get(key, record));
  if (!found) return OkStatus();
  DeletionTime deletion;
  if (!DecodeHeader(record, deletion)) return Damaged(key, "partition header");
  if (purge_times_.IsDue(deletion.local_seconds)) return context_.Delete(key);
  NotePurgeable(deletion.local_seconds);
  return OkStatus();
}

Status PartitionWriter::PurgeRangeTombstone(ByteView begin) {
  const Bytes key = KeyOf(RecordKind::kRangeTombstone, begin);
  ByteView record;
  WR_ASSIGN_OR_RETURN(const bool found, context_.Get(key, record));
  if (!found) return OkStatus();
  RangeTombstone tombstone;
  if (!DecodeRangeTombstone(record, tombstone)) return Damaged(key, "range tombstone");
  if (purge_times_.IsDue(tombstone.deletion.local_seconds)) return context_.Delete(key);
  NotePurgeable(tombstone.deletion.local_seconds);
  return OkStatus();
}

}  // namespace widerow
