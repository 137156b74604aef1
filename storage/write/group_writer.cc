// ApplyGroup calls ApplyWrite for each write. ApplyWrite runs the decide step, if there is one, and then Insert for the
// encoded writes. Insert drops what belongs to dropped tables, removes what tombstones delete (FilterRow), merges each
// row with its newest version in the memtable (InsertRow) and collects what is left in a WriteBuilder. Commit appends
// these bytes to the log as one record and publishes the sequence number. Everything that a group changes in the
// memtable is noted in touched_, so that Undo can take it back. group_replay.cc has the part that runs at start-up.
#include "storage/write/group_writer.h"

#include "storage/format/key_codec.h"
#include "storage/reconcile/merge.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr size_t kRangesInPartitionMax = 1'024;
// The buffer of a write is used again for the next one unless it has grown beyond this.
constexpr size_t kBodyBytesKept = 1u << 20;

uint64_t MicrosBetween(SteadyClock::time_point from, SteadyClock::time_point to) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(to - from).count());
}

Error DamagedFragment(ByteView key) { return ServerError("Damaged record of a write, key 0x" + ToHex(key)); }

// Merges two records of one row into one.
Bytes MergeRecords(const TableColumns& columns, ByteView older, ByteView newer) {
  if (Supersedes(newer, older)) return Bytes(newer);
  StoredRow before, after;
  // Both records were made by this process, or come from a group of the log whose checksum is right.
  WR_CHECK(DecodeRow(older, before) && DecodeRow(newer, after));
  return EncodeRow(MergeRows(columns, std::move(before.content), std::move(after.content)), {}, columns);
}

}  // namespace

void GroupWriter::SetSchema(SchemaPtr schema) {
  static const SchemaSnapshot kNone;
  auto tables = std::make_shared<LiveTables>(*tables_);
  ForEachChangedTable(schema_ == nullptr ? kNone : *schema_, *schema, [&](const TablePtr& was, const TablePtr& is) {
    if (was != nullptr) RemoveLiveTable(*was, *tables);
    if (is != nullptr) AddLiveTable(is, *tables);
  });
  schema_ = std::move(schema);
  tables_ = std::move(tables);
  shared_.tables.Store(tables_);
}

void GroupWriter::ApplyGroup(std::span<const QueuedWrite* const> writes, std::vector<Status>& statuses) {
  statuses.clear();
  statuses.resize(writes.size());
  if (broken_.has_value()) {
    for (Status& status : statuses) status = *broken_;
    return;
  }
  bodies_.resize(std::max(bodies_.size(), writes.size()));
  log_time_ = {};
  shared_.fence.BeginGroup();
  // The first write that is not in the log yet, and the bytes of the part that begins with it.
  size_t first = 0, bytes = sizeof(GroupKind);
  for (size_t i = 0; i < writes.size();) {
    const Mark begin = Here();
    bodies_[i].clear();
    statuses[i] = ApplyWrite(*writes[i], bodies_[i]);
    const size_t size = bodies_[i].size();
    if (statuses[i].ok() && sizeof(GroupKind) + size > record_bytes_max_) {
      statuses[i] = InvalidError("A write of " + std::to_string(size) + " bytes is longer than the maximum of " +
                                     std::to_string(record_bytes_max_),
                                 "write it in parts; what indexes and views need is written with it");
    }
    if (!statuses[i].ok()) {
      Undo(begin);
      bodies_[i].clear();
    } else if (bytes + size > record_bytes_max_) {
      Undo(begin);
      Commit(first, i, statuses);
      first = i;
      bytes = sizeof(GroupKind);
      // The write is applied again, in the next part.
      continue;
    }
    bytes += bodies_[i].size();
    sequence_ += bodies_[i].empty() ? 0 : 1;
    ++i;
  }
  shared_.fence.EndGroup();
  view_.reset();
  Commit(first, writes.size(), statuses);
  for (Bytes& body : bodies_) {
    if (body.capacity() > kBodyBytesKept) Bytes().swap(body);
  }
}

void GroupWriter::Commit(size_t begin, size_t end, std::vector<Status>& statuses) {
  const char kind = static_cast<char>(GroupKind::kWrites);
  std::vector<ByteView> parts{ByteView(&kind, 1)};
  for (size_t i = begin; i < end; ++i) {
    if (!bodies_[i].empty()) parts.push_back(bodies_[i]);
  }
  const size_t logged_writes = parts.size() - 1;
  if (logged_writes > 0) {
    const SteadyClock::time_point start = SteadyClock::now();
    const Status logged = Log(parts, durability_ == Durability::kSync);
    log_time_ += SteadyClock::now() - start;
    if (logged.ok()) {
      shared_.state.PublishVisible(sequence_);
    } else {
      Undo({});
      sequence_ -= logged_writes;
      for (size_t i = begin; i < end; ++i) {
        if (statuses[i].ok()) statuses[i] = logged.error();
      }
    }
  }
  Count();
  touched_.clear();
}

Status GroupWriter::Log(std::span<const ByteView> parts, bool sync) {
  Status logged = log_->Append(sequence_, shared_.last_timestamp.load(), parts);
  if (logged.ok() && sync) logged = log_->Sync();
  if (logged.ok() || !log_->broken()) return logged;
  Error error = logged.error();
  broken_ =
      ServerError("Writes are refused until the server is restarted: an earlier write to the commit log failed (" +
                      error.message + ")",
                  "check the disk of the data directory, then restart");
  error.message += "; it is not known whether the write is on disk, and further writes are refused until a restart";
  return error;
}

void GroupWriter::Undo(const Mark& to) {
  while (touched_.size() > to.touched) {
    active_->Pop(touched_.back().first, touched_.back().second);
    touched_.pop_back();
  }
  counted_.resize(to.counted);
  fresh_ = {};
}

void GroupWriter::Count() {
  for (const Counted& counted : counted_) {
    shared_.counters.CountWrite(*counted.table, counted.position, counted.micros, counted.fresh,
                                active_->extras().fresh);
  }
  counted_.clear();
}

bool GroupWriter::WaitForPurge(ByteView encoded) {
  if (!shared_.fence.is_up()) [[likely]]
    return false;
  bool waited = false, again = true;
  while (std::exchange(again, false)) {
    WriteReader reader(encoded);
    ByteView prefix;
    WriteEntry entry;
    while (!again && !encoded.empty() && reader.NextPartition(prefix)) {
      while (reader.NextEntry(entry)) {
        key_.assign(prefix);
        AppendKind(entry.kind, key_);
        key_.append(entry.rest);
        again = again || shared_.fence.Guards(key_);
      }
    }
    if (again) shared_.fence.WaitUntilLowered();
    waited = waited || again;
  }
  if (waited) view_.reset();
  return waited;
}

Status GroupWriter::ApplyWrite(const QueuedWrite& write, Bytes& out) {
  const Mark begin = Here();
  while (true) {
    WaitForPurge(write.encoded);
    WriteBuilder builder;
    derives_ = false;
    Bytes decided;
    if (write.decide) {
      // The decide step runs before the rest of the write is inserted, so a batch does not see its own changes
      // (tests/cql/batch/lists.cql).
      WR_ASSIGN_OR_RETURN(SourceView * view, View());
      WR_ASSIGN_OR_RETURN(const Mutation mutation, write.decide(*view));
      WR_ASSIGN_OR_RETURN(decided, EncodeWrite(mutation, *tables_));
      if (WaitForPurge(decided)) [[unlikely]]
        continue;
    }
    WR_RETURN_IF_ERROR(Insert(write.encoded, builder));
    WR_RETURN_IF_ERROR(Insert(decided, builder));
    if (derives_) [[unlikely]] {
      WR_ASSIGN_OR_RETURN(const Bytes derived, EncodeDerived());
      if (WaitForPurge(derived)) {
        Undo(begin);
        continue;
      }
      WR_RETURN_IF_ERROR(Insert(derived, builder));
    }
    if (!builder.empty()) out = std::move(builder).Finish();
    return OkStatus();
  }
}

Status GroupWriter::Insert(ByteView encoded, WriteBuilder& out) {
  if (encoded.empty()) return OkStatus();
  WriteReader reader(encoded);
  ByteView prefix;
  WriteEntry entry;
  while (reader.NextPartition(prefix)) {
    const SteadyClock::time_point begin = SteadyClock::now();
    // The current schema counts, not the one that the write was made with. Writes to a table or partition that is gone
    // are dropped.
    const TableColumns* columns = FindLive(*tables_, prefix);
    if (columns != nullptr) out.BeginPartition(prefix);
    if (columns != nullptr && columns->has_derived()) [[unlikely]] {
      WR_RETURN_IF_ERROR(NoteDerived(prefix, reader, columns->table()));
    }
    while (reader.NextEntry(entry)) {
      if (columns != nullptr) WR_RETURN_IF_ERROR(InsertEntry(prefix, entry, columns, out));
    }
    if (columns == nullptr) continue;
    const TableSchema& table = *columns->table();
    const size_t position_size = table.partitioning.by_token() ? sizeof(uint64_t) : ByteView::npos;
    counted_.push_back({.table = &table,
                        .position = Bytes(prefix.substr(sizeof(StorageId), position_size)),
                        .micros = MicrosBetween(begin, SteadyClock::now()),
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
      case RecordKind::kSpill: break;  // A write has no spilled values.
    }
  }
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  return derived_->Before(*view, schema_, touched);
}

Result<Bytes> GroupWriter::EncodeDerived() {
  WR_ASSIGN_OR_RETURN(SourceView * view, View());
  WR_ASSIGN_OR_RETURN(const Mutation derived, derived_->After(*view, schema_));
  return EncodeWrite(derived, *tables_);
}

Status GroupWriter::InsertEntry(ByteView prefix, const WriteEntry& entry, const TableColumns* columns,
                                WriteBuilder& out) {
  if (entry.kind == RecordKind::kHeader || entry.kind == RecordKind::kRangeTombstone) {
    InsertTombstone(prefix, entry);
    out.Add(entry);
    return OkStatus();
  }
  if (!MayBeDeleted(StorageIdOf(prefix), entry.record)) {
    InsertRow(prefix, entry, *columns);
    out.Add(entry);
    return OkStatus();
  }
  WR_ASSIGN_OR_RETURN(const Bytes left, FilterRow(prefix, entry, *columns));
  if (left.empty()) return OkStatus();
  const WriteEntry filtered{entry.kind, entry.rest, left};
  InsertRow(prefix, filtered, *columns);
  out.Add(filtered);
  return OkStatus();
}

void GroupWriter::InsertTombstone(ByteView prefix, const WriteEntry& entry) {
  key_.assign(prefix);
  AppendKind(RecordKind::kHeader, key_);
  Memtable::Node* node = active_->FindOrInsert(key_);
  const Memtable::Version* newest = node->VersionAt(~uint64_t{0});
  PartitionTombstones tombstones = newest == nullptr ? PartitionTombstones() : *newest->tombstones();
  DeletionTime deletion;
  if (entry.kind == RecordKind::kHeader) {
    WR_CHECK(DecodeHeader(entry.record, deletion));
    tombstones.Add(deletion);
  } else {
    RangeTombstone range{.begin = Bytes(entry.rest), .end = {}, .deletion = {}};
    WR_CHECK(DecodeRangeTombstone(entry.record, range));
    deletion = range.deletion;
    tombstones.Add(range);
  }
  crowded_ = crowded_ || tombstones.ranges().size() > kRangesInPartitionMax;
  active_->PushTombstones(node, sequence_ + 1, std::move(tombstones));
  touched_.emplace_back(node, sequence_ + 1);
  for (auto* newest_of : {&newest_tombstones_, &active_->extras().newest_tombstones}) {
    int64_t& greatest = newest_of->try_emplace(StorageIdOf(prefix), deletion.timestamp).first->second;
    greatest = std::max(greatest, deletion.timestamp);
  }
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

void GroupWriter::InsertRow(ByteView prefix, const WriteEntry& entry, const TableColumns& columns) {
  key_.assign(prefix);
  AppendKind(entry.kind, key_);
  key_.append(entry.rest);
  Memtable::Node* node = active_->FindOrInsert(key_);
  const Memtable::Version* newest = node->VersionAt(~uint64_t{0});
  if (newest == nullptr) {
    fresh_.rows += entry.kind == RecordKind::kRow && IsInsert(entry.record) ? 1 : 0;
    fresh_.bytes += static_cast<int64_t>(key_.size() + entry.record.size());
    active_->Push(node, sequence_ + 1, entry.record);
  } else {
    active_->Push(node, sequence_ + 1, MergeRecords(columns, newest->record(), entry.record));
  }
  touched_.emplace_back(node, sequence_ + 1);
}

Result<SourceView*> GroupWriter::View() {
  if (view_ == nullptr) { WR_ASSIGN_OR_RETURN(view_, shared_.snapshots.OpenWriterView()); }
  view_->SeeAll();
  return view_.get();
}

Status GroupWriter::CommitSchema(const SchemaPtr& next) {
  if (broken_.has_value()) return *broken_;
  std::vector<MetaChange> changes = SchemaChanges(*schema_, *next);
  StorageId next_id = next_storage_id_;
  ForEachChangedTable(*schema_, *next, [&](const TablePtr& was, const TablePtr& is) {
    const std::vector<StorageId> used = is == nullptr ? std::vector<StorageId>() : StorageIdsOf(*is);
    for (const StorageId id : used) next_id = std::max(next_id, id + 1);
    if (was == nullptr) return;
    for (const StorageId id : StorageIdsOf(*was)) {
      if (std::find(used.begin(), used.end(), id) == used.end()) changes.push_back(RetiredChange(id));
    }
    if (is == nullptr) return;
    for (const KeyExtent& lost : LostExtents(*was, *is)) changes.push_back(RetiredExtentChange(lost));
  });
  changes.push_back(NextStorageIdChange(next_id));

  Bytes body(1, static_cast<char>(GroupKind::kMeta));
  AppendMetaChanges(changes, body);
  ++sequence_;
  const ByteView part = body;
  if (Status logged = Log({&part, 1}, true); !logged.ok()) {
    --sequence_;
    return logged;
  }
  active_->AddMetaChanges(changes);
  next_storage_id_ = next_id;
  shared_.counters.Change(*schema_, *next, active_->extras().fresh);
  SetSchema(next);
  shared_.state.PublishVisible(sequence_);
  return OkStatus();
}

bool GroupWriter::Freeze() {
  if (active_->bytes() == 0) return false;
  active_->extras().last_sequence = sequence_;
  frozen_bytes_ = active_->bytes();
  shared_.state.Freeze();
  active_ = shared_.state.active();
  shared_.snapshots.DropStale();
  crowded_ = false;
  return true;
}

}  // namespace widerow
