#include "storage/fold/spill_store.h"

#include "storage/format/damage.h"
#include "storage/format/key_codec.h"
#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

constexpr size_t kChunkKeysAtOnce = 256;

Bytes ChunkKey(ByteView cell_prefix, uint32_t chunk) {
  Bytes key(cell_prefix);
  AppendBigEndian(key, chunk);
  return key;
}

}  // namespace

Error SpillStore::Damaged(ByteView key) const { return DamagedRecord(*columns_.table(), key, "spilled value"); }

Bytes SpillStore::CellPrefix(ByteView clustering, ColumnId column, ByteView path) const {
  Bytes out, comparable;
  AppendSpillPrefix(partition_prefix_, clustering, column, out);
  if (columns_.multi_cell(column)) columns_.AppendComparablePath(column, path, comparable);
  AppendDelimited(comparable, out);
  return out;
}

// Returns the first keys that start with `prefix`, at most `keys_max` of them, each with the size of its value.
Result<std::vector<std::pair<Bytes, size_t>>> SpillStore::KeysUnder(ByteView prefix, size_t keys_max) {
  WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
  std::vector<std::pair<Bytes, size_t>> keys;
  lmdb::Rc rc = cursor->SeekAtOrAfter(prefix);
  for (; rc.ok() && keys.size() < keys_max && cursor->key().starts_with(prefix); rc = cursor->Next()) {
    keys.emplace_back(cursor->key(), cursor->value().size());
  }
  WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
  return keys;
}

Status SpillStore::DeleteUnder(ByteView prefix) {
  while (true) {
    WR_ASSIGN_OR_RETURN(const auto keys, KeysUnder(prefix, kChunkKeysAtOnce));
    for (const auto& [key, size] : keys) {
      WR_RETURN_IF_ERROR(context_.Delete(key));
      bytes_delta_ -= static_cast<int64_t>(key.size() + size);
    }
    if (keys.size() < kChunkKeysAtOnce) return OkStatus();
  }
}

Status SpillStore::Put(ByteView clustering, const Cell& cell) {
  const Bytes prefix = CellPrefix(clustering, cell.column, cell.path);
  WR_RETURN_IF_ERROR(DeleteUnder(prefix));
  const Bytes first = EncodeSpilledCell(cell);
  const Bytes first_key = ChunkKey(prefix, 0);
  WR_RETURN_IF_ERROR(context_.Put(first_key, first));
  bytes_delta_ += static_cast<int64_t>(first_key.size() + first.size());
  uint32_t chunk = 1;
  for (size_t at = kChunkBytes; at < cell.value.size(); at += kChunkBytes, ++chunk) {
    Bytes record(cell.value, at, kChunkBytes);
    Seal(record);
    const Bytes key = ChunkKey(prefix, chunk);
    WR_RETURN_IF_ERROR(context_.Put(key, record));
    bytes_delta_ += static_cast<int64_t>(key.size() + record.size());
  }
  return OkStatus();
}

Result<std::optional<Cell>> SpillStore::Get(ByteView clustering, ColumnId column, ByteView path) {
  const Bytes prefix = CellPrefix(clustering, column, path);
  const Bytes first_key = ChunkKey(prefix, 0);
  ByteView record;
  WR_ASSIGN_OR_RETURN(const bool found, context_.Get(first_key, record));
  if (!found) return std::optional<Cell>();
  SpilledCell spilled;
  if (!DecodeSpilledCell(record, spilled)) return Damaged(first_key);
  Cell cell{column,
            Bytes(spilled.cell.path),
            spilled.cell.timestamp,
            spilled.cell.ttl,
            spilled.cell.expires_at,
            spilled.cell.tombstone,
            false,
            Bytes(spilled.cell.value)};
  for (uint32_t chunk = 1; cell.value.size() < spilled.value_bytes; ++chunk) {
    const Bytes key = ChunkKey(prefix, chunk);
    WR_ASSIGN_OR_RETURN(const bool more, context_.Get(key, record));
    if (!more || !Unseal(record) || record.empty()) return Damaged(key);
    cell.value.append(record);
  }
  return std::optional<Cell>(std::move(cell));
}

Status SpillStore::DeleteColumn(ByteView clustering, ColumnId column) {
  Bytes prefix;
  AppendSpillPrefix(partition_prefix_, clustering, column, prefix);
  return DeleteUnder(prefix);
}

Result<bool> SpillStore::AnyElement(ByteView clustering, ColumnId column) {
  Bytes column_prefix;
  AppendSpillPrefix(partition_prefix_, clustering, column, column_prefix);
  WR_ASSIGN_OR_RETURN(const auto keys, KeysUnder(column_prefix, 1));
  return !keys.empty();
}

Result<bool> SpillStore::FilterElements(ByteView clustering, ColumnId column, const DeletionTime& deletion) {
  Bytes column_prefix;
  AppendSpillPrefix(partition_prefix_, clustering, column, column_prefix);
  Bytes from = column_prefix;
  bool any_left = false;
  while (true) {
    // Collects some elements before it deletes them, because a write invalidates the cursor.
    std::vector<Bytes> dropped;
    WR_ASSIGN_OR_RETURN(LongKeyCursor * cursor, context_.cursor());
    lmdb::Rc rc = cursor->SeekAtOrAfter(from);
    for (; rc.ok() && cursor->key().starts_with(column_prefix) && dropped.size() < kChunkKeysAtOnce;
         rc = cursor->Next()) {
      const ByteView key = cursor->key();
      from.assign(key);
      if (key.size() < sizeof(uint32_t) || ReadBigEndian<uint32_t>(key.data() + key.size() - 4) != 0) continue;
      SpilledCell spilled;
      if (!DecodeSpilledCell(cursor->value(), spilled)) return Damaged(key);
      if (deletion.Deletes(spilled.cell.timestamp)) {
        dropped.emplace_back(key.substr(0, key.size() - 4));
      } else {
        any_left = true;
      }
    }
    WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
    for (const Bytes& prefix : dropped) WR_RETURN_IF_ERROR(DeleteUnder(prefix));
    if (dropped.size() < kChunkKeysAtOnce) return any_left;
    from.push_back('\0');
  }
}

}  // namespace widerow
