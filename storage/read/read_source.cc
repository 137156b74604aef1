#include "storage/read/read_source.h"

#include "storage/format/key_codec.h"
#include "storage/large/pieces.h"
#include "storage/reconcile/merge.h"

namespace widerow {

DeletionTime PartitionCover::OfStatic() const {
  DeletionTime newest;
  for (size_t i = 0; i < count; ++i) newest = Newer(newest, tombstones[i]->partition());
  return newest;
}

DeletionTime PartitionCover::OfRow(ByteView clustering) const {
  DeletionTime newest;
  for (size_t i = 0; i < count; ++i) newest = Newer(newest, tombstones[i]->Covering(clustering));
  return newest;
}

void ReadSource::SetSequence(uint64_t up_to) {
  sequence = up_to;
  memtable_count = 0;
  any_tombstones = false;
  for (const MemtablePtr& memtable : state->memtables) {
    if (memtable->empty()) continue;
    memtables[memtable_count++] = memtable.get();
    any_tombstones = any_tombstones || memtable->has_tombstones();
  }
}

lmdb::Rc ReadSource::Get(ByteView key, RowVersions& versions) const {
  for (size_t i = 0; i < memtable_count; ++i) {
    const Memtable::Node* node = memtables[i]->Find(key);
    const Memtable::Version* version = node == nullptr ? nullptr : node->VersionAt(sequence);
    if (version != nullptr) versions.Add(version);
  }
  ByteView record;
  const lmdb::Rc rc = GetLong(txn, key, record);
  if (rc.ok()) versions.stored = record;
  return rc.not_found() && !versions.empty() ? lmdb::Rc::Done() : rc;
}

PartitionCover ReadSource::CoverOf(ByteView prefix) const {
  PartitionCover cover;
  if (!any_tombstones) return cover;
  Bytes header(prefix);
  AppendKind(RecordKind::kHeader, header);
  for (size_t i = 0; i < memtable_count; ++i) {
    const PartitionTombstones* found = memtables[i]->TombstonesAt(header, sequence);
    if (found != nullptr) cover.tombstones[cover.count++] = found;
  }
  return cover;
}

Result<lmdb::Cursor> ReadSource::TakeCursor() {
  const bool stale = idle_cursors.empty();
  std::vector<lmdb::Cursor>& from = stale ? stale_cursors : idle_cursors;
  if (from.empty()) return lmdb::Cursor::Open(txn, lmdb::Db::kData);
  lmdb::Cursor cursor = std::move(from.back());
  from.pop_back();
  if (!stale) return cursor;
  if (const lmdb::Rc rc = cursor.Renew(txn); !rc.ok()) return lmdb::ToError(rc, "opening a cursor");
  return cursor;
}

void ReadSource::Retire(size_t kept_max) {
  while (!idle_cursors.empty()) {
    stale_cursors.push_back(std::move(idle_cursors.back()));
    idle_cursors.pop_back();
  }
  while (stale_cursors.size() > kept_max) stale_cursors.pop_back();
}

Result<Bytes> ReadSource::ReadWhole(ByteView prefix, ByteView reference) {
  LargeReference large;
  if (!DecodeLargeReference(reference, large)) return ServerError("Damaged reference to a large object");
  Bytes pieces, out;
  AppendPiecePrefix(prefix, large.object, pieces);
  out.reserve(large.bytes);
  WR_ASSIGN_OR_RETURN(const bool whole, ReadPieces(txn, pieces, 0, large.bytes, out));
  if (!whole) return ServerError("Damaged large object: a piece is missing, key 0x" + ToHex(pieces));
  return out;
}

}  // namespace widerow
