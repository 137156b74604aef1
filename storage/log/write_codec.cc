// EncodeWrite makes the keys and records of a mutation (AddPartition) and collects them with a WriteBuilder. The
// builder keeps the entries of a partition until the next partition begins, because their number has to be written
// before them. WriteReader reads what the builder has written. The functions for changes of `meta` are at the end.
#include "storage/log/write_codec.h"

#include "base/limits.h"
#include "storage/reconcile/merge.h"
#include "types/schema_difference.h"

namespace widerow {
namespace {

// The room that an entry needs for the two lengths and the kind.
constexpr size_t kLengthsBytes = 12;
// The room that is reserved for the number of partitions.
constexpr size_t kCountBytes = 9;
// A builder keeps a buffer for the next write if the buffer has at most this size.
constexpr size_t kBufferBytesKept = 1u << 20;

}  // namespace

Status CheckKey(const PartitionMutation& mutation) {
  const size_t size = mutation.partition_key.size();
  // In a table that is not stored by token, the key is an encoding that is longer than its values, so its size is not
  // limited here. exec/bind/bind.cc has checked the lengths of the values.
  if (!mutation.table->partitioning.by_token() || size <= limits::kKeyBytesMax) return OkStatus();
  return InvalidError("Key length of " + std::to_string(size) + " is longer than maximum of " +
                      std::to_string(limits::kKeyBytesMax));
}

Bytes EncodeFragment(const RowFragment& content, const TableColumns& columns) {
  const auto order = [&](const Cell& a, const Cell& b) { return CellBefore(columns, a, b); };
  const bool deletes = content.deletion.present() || !content.column_deletions.empty();
  if (!deletes && std::is_sorted(content.cells.begin(), content.cells.end(), order)) {
    return EncodeRow(content, {}, columns);
  }
  RowFragment settled = content;
  std::stable_sort(settled.cells.begin(), settled.cells.end(), order);
  ApplyDeletion(settled, {});
  return EncodeRow(settled, {}, columns);
}

namespace {

void AddPartition(const PartitionMutation& mutation, const TableColumns& columns, WriteBuilder& out) {
  Bytes prefix;
  prefix.reserve(mutation.partition_key.size() + kKeyHeadBytes + 8);
  AppendPartitionPrefix(*mutation.table, mutation.partition_key, prefix);
  out.BeginPartition(prefix);
  if (mutation.partition_deletion.present()) {
    out.Add({RecordKind::kHeader, {}, EncodeHeader(mutation.partition_deletion)});
  }
  for (const RangeDeletion& deletion : mutation.range_deletions) {
    const ClusteringRange& range = deletion.range;
    if (range.end.has_value() && *range.end <= range.begin) continue;
    out.Add(
        {RecordKind::kRangeTombstone, range.begin, EncodeRangeTombstone({range.begin, range.end, deletion.deletion})});
  }
  for (const RowMutation& row : mutation.rows) {
    out.Add(
        {row.is_static ? RecordKind::kStatic : RecordKind::kRow, row.clustering, EncodeFragment(row.content, columns)});
  }
}

}  // namespace

LiveTables LiveTablesOf(const SchemaSnapshot& schema) {
  LiveTables tables;
  ForEachStoredTable(schema, [&](const TablePtr& table) { AddLiveTable(table, tables); });
  return tables;
}

void AddLiveTable(const TablePtr& table, LiveTables& tables) {
  const auto columns = std::make_shared<const TableColumns>(table);
  for (const StorageId id : StorageIdsOf(*table)) tables[id] = columns;
}

void RemoveLiveTable(const TableSchema& table, LiveTables& tables) {
  for (const StorageId id : StorageIdsOf(table)) tables.erase(id);
}

const TableColumns* FindLive(const LiveTables& tables, ByteView key) {
  const auto found = tables.find(ReadBigEndian<StorageId>(key.data()));
  if (found == tables.end() || !IsLive(*found->second->table(), key)) return nullptr;
  return found->second.get();
}

Result<Bytes> EncodeWrite(const Mutation& mutation, const LiveTables& tables) {
  WriteBuilder out;
  for (const PartitionMutation& partition : mutation) {
    // The mutation of a decide step can have a partition without changes.
    if (!partition.partition_deletion.present() && partition.range_deletions.empty() && partition.rows.empty())
      continue;
    WR_RETURN_IF_ERROR(CheckKey(partition));
    const auto found = tables.find(partition.table->storage_id);
    if (found != tables.end() && found->second->table() == partition.table) {
      AddPartition(partition, *found->second, out);
    } else {
      AddPartition(partition, TableColumns(partition.table), out);
    }
  }
  Bytes encoded;
  out.Finish(encoded);
  return encoded;
}

bool WriteReader::NextPartition(ByteView& prefix) {
  if (partitions_ == 0 || !in_.ok) return false;
  --partitions_;
  prefix = in_.Take(in_.Varint());
  entries_ = in_.Varint();
  if (prefix.size() <= kKeyHeadBytes) in_.Fail();
  return in_.ok;
}

bool WriteReader::NextEntry(WriteEntry& entry) {
  if (entries_ == 0 || !in_.ok) return false;
  --entries_;
  entry.kind = static_cast<RecordKind>(in_.Byte());
  entry.rest = in_.Take(in_.Varint());
  entry.record = in_.Take(in_.Varint());
  if (entry.kind < RecordKind::kHeader || entry.kind > RecordKind::kRow) in_.Fail();
  return in_.ok;
}

void WriteBuilder::BeginPartition(ByteView prefix) {
  EndPartition();
  prefix_.assign(prefix);
}

void WriteBuilder::Add(const WriteEntry& entry) {
  if (entry_count_ == 0) entries_.reserve(entry.rest.size() + entry.record.size() + kLengthsBytes);
  entries_.push_back(static_cast<char>(entry.kind));
  AppendSized(entries_, entry.rest);
  AppendSized(entries_, entry.record);
  ++entry_count_;
}

void WriteBuilder::EndPartition() {
  if (entry_count_ == 0) return;
  if (partitions_ == 0) out_.reserve(prefix_.size() + entries_.size() + kLengthsBytes);
  AppendSized(out_, prefix_);
  AppendVarint(out_, entry_count_);
  out_.append(entries_);
  entries_.clear();
  entry_count_ = 0;
  ++partitions_;
}

void WriteBuilder::Finish(Bytes& out) {
  EndPartition();
  out.reserve(out.size() + out_.size() + kCountBytes);
  AppendVarint(out, partitions_);
  out.append(out_);
  Clear();
}

void WriteBuilder::Clear() {
  for (Bytes* buffer : {&out_, &prefix_, &entries_}) {
    if (buffer->capacity() > kBufferBytesKept) Bytes().swap(*buffer);
    buffer->clear();
  }
  partitions_ = entry_count_ = 0;
}

void AppendMetaChanges(const std::vector<MetaChange>& changes, Bytes& out) {
  for (const MetaChange& change : changes) {
    AppendSized(out, change.key);
    out.push_back(change.value.has_value() ? '\1' : '\0');
    if (change.value.has_value()) AppendSized(out, *change.value);
  }
}

bool TakeMetaChanges(ByteView bytes, std::vector<MetaChange>& changes) {
  row_decode::Reader in(bytes);
  while (in.more()) {
    MetaChange change;
    change.key = Bytes(in.Take(in.Varint()));
    if (in.Byte() == 1) change.value = Bytes(in.Take(in.Varint()));
    if (in.ok) changes.push_back(std::move(change));
  }
  return in.ok;
}

}  // namespace widerow
