// A fold goes through the memtable in the order of keys. FoldSlice runs one transaction. FoldSome folds in it until 20
// ms or 8 MiB are used up. FoldPartition hands rows of one partition to a PartitionWriter. The last slice also stores
// schema changes, and the sequence number up to which everything is folded (FoldExtras).
#include "storage/fold/store_writer.h"

#include <chrono>

#include "storage/format/key_codec.h"
#include "storage/large/pieces.h"
#include "storage/memtable/row_parts.h"
#include "types/position.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kFoldSliceTime = std::chrono::milliseconds(20);
constexpr size_t kFoldSliceBytes = 8u << 20;
constexpr size_t kFoldStepRows = 256, kFoldStepRanges = 64;
// If one step of a fold stores fewer purgeable records than this in a partition, it does not report the partition to
// the purge ledger. The walk through the table will find the partition.
constexpr uint64_t kPurgeableNotedMin = 16;

// Adds the next deletions of a partition to the mutation. Returns true if none is left.
bool AddDeletions(PartitionMutation& mutation, const Memtable::Version& version, StoreWriter::Fold& fold) {
  if (fold.ranges == nullptr) {
    mutation.partition_deletion = version.tombstones()->partition();
    fold.ranges = std::make_shared<const RangeTombstones>(version.tombstones()->Ranges());
    fold.ranges_folded = 0;
  }
  const size_t end = std::min(fold.ranges->size(), fold.ranges_folded + kFoldStepRanges);
  for (; fold.ranges_folded < end; ++fold.ranges_folded) {
    const RangeTombstone& range = *(*fold.ranges)[fold.ranges_folded];
    mutation.range_deletions.push_back({{range.begin, range.end}, range.deletion});
  }
  if (end < fold.ranges->size()) return false;
  fold.ranges = nullptr;
  return true;
}

// Adds the name of the table to the error of a fold.
Status InTable(Status status, const TableSchema& table) {
  if (!status.ok()) status.error().message += " (table " + table.keyspace + "." + table.name + ")";
  return status;
}

}  // namespace

StoreWriter::StoreWriter(SharedState shared, StoredMeta meta)
    : newest_tombstones_(std::move(meta.newest_tombstones)), store_(shared, std::move(meta)), sweep_(store_) {}

Result<bool> StoreWriter::FoldSlice(Fold& fold) {
  store_.TakeTables();
  Fold at = fold;
  bool done = false;
  Status folded = store_.Transact([&](WriteContext& context) -> Status {
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
      if (version != nullptr) fold.bytes += slice_begin->key().size() + version->content_bytes();
    }
  }
  return OkStatus();
}

Status StoreWriter::FoldPartition(WriteContext& context, Fold& fold) {
  const size_t prefix_size = PartitionPrefixSize(fold.next->key());
  const ByteView prefix = fold.next->key().substr(0, prefix_size);
  const TableColumns* columns = FindLive(store_.tables(), prefix);
  PartitionMutation mutation;
  for (; fold.next != nullptr && mutation.rows.size() < kFoldStepRows; fold.next = fold.next->next()) {
    const ByteView key = fold.next->key();
    if (!key.starts_with(prefix)) break;
    const Memtable::Version* version = fold.next->VersionAt(fold.memtable->extras().last_sequence);
    if (version == nullptr || columns == nullptr) continue;
    const auto kind = static_cast<RecordKind>(key[prefix_size]);
    if (kind == RecordKind::kHeader) {
      // All deletions of a partition are folded before its rows, because a fold compares rows with the deletions in the
      // data file.
      if (!AddDeletions(mutation, *version, fold)) break;
      continue;
    }
    RowMutation& row = mutation.rows.emplace_back();
    row.is_static = kind == RecordKind::kStatic;
    row.clustering.assign(key.substr(prefix_size + 1));
    if (!WholeRow(*columns, *version, row.content)) return ServerError("Damaged record of a write in memory");
  }
  if (columns == nullptr) {
    fold.ranges = nullptr;  // If the table was dropped while its deletions were folded, the rest of them is forgotten.
    return OkStatus();
  }
  const bool deletes_partition = mutation.partition_deletion.present();
  PartitionWriter writer(context, *columns, Bytes(prefix));
  WR_RETURN_IF_ERROR(InTable(writer.Apply(std::move(mutation)), *columns->table()));
  if (deletes_partition) store_.shared().sizes.Forget(prefix);
  store_.Count(context, *columns, prefix, writer);
  if (writer.purgeable_records() >= kPurgeableNotedMin) {
    store_.shared().ledger.AddFolded(prefix, writer.purgeable_records(), writer.purgeable_since());
  }
  return OkStatus();
}

Status StoreWriter::StoreSizes(lmdb::WriteTxn& txn) {
  for (auto& [table, sizes] : store_.shared().sizes.TakeChanges(store_.tables())) {
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
    if (!store_.tables().contains(table) || (known != newest_tombstones_.end() && known->second >= timestamp)) continue;
    WR_RETURN_IF_ERROR(StoreNewestTombstone(context.txn(), table, timestamp));
  }
  for (const auto& [table, sequence] : extras.stale) {
    if (!store_.shared().stale.Has(table)) continue;  // The stale rows have been removed already.
    WR_RETURN_IF_ERROR(StoreNote(context.txn(), StaleNote(table, sequence)));
  }
  WR_RETURN_IF_ERROR(StoreSizes(context.txn()));
  return StoreFoldedThrough(context.txn(), extras.last_sequence);
}

// When a partition is split or merged, the new entry of the map begins with counters from the old entries. These
// counters have to survive a restart.
Status StoreWriter::StoreCountersOf(WriteContext& context, const TableSchema& table) {
  for (const PartitionRange& range : table.partition_map) {
    const std::pair entry(table.storage_id, range.id);
    const auto delta = context.state().counters.find(entry);
    const StoredCounters now = store_.shared().counters.After(
        entry, delta == context.state().counters.end() ? StoredCounters() : delta->second);
    WR_RETURN_IF_ERROR(StoreCounters(context.txn(), table.storage_id, range.id, now));
  }
  return OkStatus();
}

void StoreWriter::TakeOver(const Memtable::Extras& extras) {
  store_.shared().counters.Folded(extras.fresh);
  store_.shared().large.FoldedThrough(extras.last_sequence);
  for (const MetaChange& change : extras.meta_changes) {
    if (const std::optional<StorageId> retired = RetiredBy(change)) store_.Retire(*retired);
    if (std::optional<KeyExtent> retired = RetiredExtentBy(change)) store_.Retire(std::move(*retired));
  }
  for (const auto& [table, timestamp] : extras.newest_tombstones) {
    int64_t& newest = newest_tombstones_.try_emplace(table, timestamp).first->second;
    newest = std::max(newest, timestamp);
  }
}

Status StoreWriter::Apply(const std::function<Status(WriteContext&, const LiveTables&)>& body) {
  store_.TakeTables();
  return store_.Transact([&](WriteContext& context) { return body(context, store_.tables()); });
}

Status StoreWriter::RepeatPieces(const PiecesGroup& pieces) {
  store_.TakeTables();
  if (FindLive(store_.tables(), pieces.partition_prefix) == nullptr) return OkStatus();
  bool stored = false;
  Status looked = store_.Transact([&](WriteContext& context) -> Status {
    Bytes prefix;
    ByteView piece;
    AppendPiecePrefix(pieces.partition_prefix, pieces.object, prefix);
    WR_ASSIGN_OR_RETURN(stored, context.Get(PieceKey(prefix, pieces.number), piece));
    return OkStatus();
  });
  WR_RETURN_IF_ERROR(std::move(looked));
  // If the pieces are stored already, a row may refer to the object. So StorePieces must not record it again as an
  // object without a reference.
  return stored ? OkStatus() : StorePieces(pieces);
}

Status StoreWriter::StorePieces(const PiecesGroup& pieces) {
  store_.TakeTables();
  return store_.Transact([&](WriteContext& context) -> Status {
    if (FindLive(store_.tables(), pieces.partition_prefix) == nullptr) {
      return InvalidError("The table or the partition was dropped or truncated while the value was written");
    }
    if (pieces.number == 0) {
      WR_RETURN_IF_ERROR(StoreLooseObject(context.txn(), pieces.object, pieces.partition_prefix));
    }
    Bytes prefix, record;
    AppendPiecePrefix(pieces.partition_prefix, pieces.object, prefix);
    uint64_t number = pieces.number;
    int64_t added = 0;
    for (size_t at = 0; at < pieces.bytes.size(); at += kPieceBytes, ++number) {
      record.assign(pieces.bytes.substr(at, kPieceBytes));
      Seal(record);
      const Bytes key = PieceKey(prefix, number);
      WR_RETURN_IF_ERROR(context.Put(key, record));
      added += static_cast<int64_t>(key.size() + record.size());
    }
    store_.CountBytes(context, pieces.partition_prefix, added);
    return OkStatus();
  });
}

Status StoreWriter::StoreTimestamp() {
  if (store_.timestamp_is_stored()) return OkStatus();
  return store_.Transact([&](WriteContext& context) { return StoreSizes(context.txn()); });
}

}  // namespace widerow
