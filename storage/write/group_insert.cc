// The part of GroupWriter that puts one write into the memtable. Insert leaves out what belongs to dropped tables,
// removes what tombstones delete (FilterRow), merges each row with its newest version in the memtable (InsertRow), and
// collects the result in a WriteBuilder. For tables with indexes or views it also asks for the changes of their derived
// tables (NoteDerived, Derive).
#include "base/text.h"
#include "storage/format/key_codec.h"
#include "storage/memtable/row_parts.h"
#include "storage/reconcile/merge.h"
#include "storage/write/group_writer.h"

namespace widerow {
namespace {

uint64_t MicrosBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(to - from).count());
}

Error DamagedFragment(ByteView key) { return ServerError("Damaged record of a write, key 0x" + ToHex(key)); }

Error TooLong(std::string_view what, size_t bytes, size_t most) {
  return InvalidError(StrCat("A write that ", what, " at least ", bytes, " bytes is longer than the maximum of ", most),
                      "write it in parts; what indexes and views need is written with it");
}

}  // namespace

Status GroupWriter::CheckSize(size_t bytes) const {
  const size_t logged = sizeof(GroupKind) + bytes, memory = active_->bytes() - memory_before_write_;
  if (logged > record_bytes_max_) return TooLong("has", logged, record_bytes_max_);
  if (memory > write_memory_max_) return TooLong("takes in memory", memory, write_memory_max_);
  return OkStatus();
}

Status GroupWriter::Insert(ByteView encoded) {
  if (encoded.empty()) return OkStatus();
  WriteReader reader(encoded);
  ByteView prefix;
  WriteEntry entry;
  while (reader.NextPartition(prefix)) {
    const auto begin = std::chrono::steady_clock::now();
    // The current schema is used, not the one with which the write was made. Writes to a table or partition that is
    // gone are dropped.
    const TableColumns* columns = FindLive(*tables_, prefix);
    if (columns != nullptr) builder_.BeginPartition(prefix);
    if (columns != nullptr && columns->has_derived()) [[unlikely]] {
      WR_RETURN_IF_ERROR(NoteDerived(prefix, reader, columns->table()));
    }
    while (reader.NextEntry(entry)) {
      if (columns == nullptr) continue;
      WR_RETURN_IF_ERROR(InsertEntry(prefix, entry, columns));
      WR_RETURN_IF_ERROR(CheckSize(builder_.bytes()));
    }
    if (columns == nullptr) continue;
    const TableSchema& table = *columns->table();
    const size_t position_size = table.partitioning.by_token() ? sizeof(uint64_t) : ByteView::npos;
    counted_.push_back({.table = &table,
                        .position = Bytes(prefix.substr(sizeof(StorageId), position_size)),
                        .micros = MicrosBetween(begin, std::chrono::steady_clock::now()),
                        .fresh = std::exchange(fresh_, {})});
  }
  WR_CHECK(reader.ok());
  return OkStatus();
}

Status GroupWriter::NoteDerived(ByteView prefix, WriteReader entries, const TablePtr& table) {
  if (derived_ == nullptr) {
    return ServerError("Table " + table->keyspace + "." + table->name +
                       " has indexes or views, and nobody keeps them in step");
  }
  if (!derives_) derived_->Begin();
  derives_ = true;
  Bytes partition_key;
  WR_CHECK(PartitionKeyOfPrefix(prefix, partition_key));
  TouchedRows touched{.table = table, .partition_key = partition_key};
  WriteEntry entry;
  while (entries.NextEntry(entry)) {
    switch (entry.kind) {
      case RecordKind::kHeader: touched.whole_partition = true; break;
      case RecordKind::kStatic: touched.static_row = true; break;
      case RecordKind::kRow: touched.rows.push_back(entry.rest); break;
      case RecordKind::kRangeTombstone: {
        RangeTombstone range{.begin = Bytes(entry.rest), .end = {}, .deletion = {}};
        WR_CHECK(DecodeRangeTombstone(entry.record, range));
        touched.ranges.push_back({std::move(range.begin), std::move(range.end)});
        break;
      }
      case RecordKind::kSpill:
      case RecordKind::kPiece: break;  // A write contains neither spilled values nor pieces.
    }
  }
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  WR_ASSIGN_OR_RETURN(const bool leaves_stale, derived_->Before(*view, schema_, touched));
  if (leaves_stale) stale_.push_back(table->storage_id);
  return OkStatus();
}

Result<DerivedChanges> GroupWriter::Derive() {
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  return derived_->After(*view, schema_);
}

Status GroupWriter::RefuseConflict(const UniqueConflict& conflict, const QueuedWrite& write, const Mark& begin) {
  if (!write.conflict || !conflict.holder) return conflict.error;
  Undo(begin);
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  return write.conflict(*view, *conflict.holder);
}

Status GroupWriter::InsertEntry(ByteView prefix, const WriteEntry& entry, const TableColumns* columns) {
  if (entry.kind == RecordKind::kHeader || entry.kind == RecordKind::kRangeTombstone) {
    WR_RETURN_IF_ERROR(InsertTombstone(prefix, entry));
    builder_.Add(entry);
    return OkStatus();
  }
  if (!MayBeDeleted(StorageIdOf(prefix), entry.record)) {
    WR_RETURN_IF_ERROR(InsertRow(prefix, entry, *columns));
    builder_.Add(entry);
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(const Bytes left, FilterRow(prefix, entry, *columns));
  if (left.empty()) return OkStatus();
  const WriteEntry filtered{entry.kind, entry.rest, left};
  WR_RETURN_IF_ERROR(InsertRow(prefix, filtered, *columns));
  builder_.Add(filtered);
  return OkStatus();
}

Status GroupWriter::InsertTombstone(ByteView prefix, const WriteEntry& entry) {
  DeletionTime deletion;
  RangeTombstone range{.begin = Bytes(entry.rest), .end = {}, .deletion = {}};
  const bool is_range = entry.kind == RecordKind::kRangeTombstone;
  const bool whole = is_range ? DecodeRangeTombstone(entry.record, range) : DecodeHeader(entry.record, deletion);
  if (!whole) return DamagedFragment(prefix);
  key_.assign(prefix);
  AppendKind(RecordKind::kHeader, key_);
  Memtable::Node* node = active_->FindOrInsert(key_);
  const Memtable::Version* newest = node->VersionAt(~uint64_t{0});
  PartitionTombstones tombstones = newest == nullptr ? PartitionTombstones() : *newest->tombstones();
  if (is_range) {
    deletion = range.deletion;
    tombstones.Add(std::move(range));
  } else {
    tombstones.Add(deletion);
  }
  touched_.emplace_back(node, sequence_ + 1);  // This comes first, so that Undo finds the node if a later call throws.
  active_->PushTombstones(node, sequence_ + 1, std::move(tombstones));
  for (auto* newest_of : {&newest_tombstones_, &active_->extras().newest_tombstones}) {
    int64_t& greatest = newest_of->try_emplace(StorageIdOf(prefix), deletion.timestamp).first->second;
    greatest = std::max(greatest, deletion.timestamp);
  }
  return OkStatus();
}

bool GroupWriter::MayBeDeleted(StorageId table, ByteView record) const {
  if (newest_tombstones_.empty()) return false;
  const auto newest = newest_tombstones_.find(table);
  return newest != newest_tombstones_.end() && MinTimestamp(record) <= newest->second;
}

Result<Bytes> GroupWriter::FilterRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns) {
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  WR_ASSIGN_OR_RETURN(const DeletionTime deletion,
                      view->DeletionOver(prefix, entry.kind == RecordKind::kStatic, entry.rest));
  if (!deletion.present()) return Bytes(entry.record);
  StoredRow row;
  if (!DecodeRow(entry.record, row)) return DamagedFragment(prefix);
  ApplyDeletion(row.content, deletion);
  return IsEmpty(row.content) ? Bytes() : EncodeRow(row.content, {}, columns);
}

Status GroupWriter::InsertRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns) {
  key_.assign(prefix);
  AppendKind(entry.kind, key_);
  key_.append(entry.rest);
  Memtable::Node* node = active_->FindOrInsert(key_);
  const Memtable::Version* newest = node->VersionAt(~uint64_t{0});
  touched_.emplace_back(node, sequence_ + 1);  // This comes first, so that Undo finds the node if a later call throws.
  if (newest == nullptr) {
    fresh_.rows += entry.kind == RecordKind::kRow && IsInsert(entry.record) ? 1 : 0;
    fresh_.bytes += static_cast<int64_t>(key_.size() + entry.record.size());
    active_->Push(node, sequence_ + 1, entry.record);
  } else {
    WR_ASSIGN_OR_RETURN(const RowParts parts, MergeOver(columns, *newest, entry.record));
    active_->Push(node, sequence_ + 1, parts.record, parts.rest);
  }
  return OkStatus();
}

Result<SourceView*> GroupWriter::View() {
  if (view_ == nullptr) { WR_ASSIGN_OR_RETURN(view_, shared_.snapshots.OpenWriterView()); }
  view_->SeeAll();
  return view_.get();
}

}  // namespace widerow
