#include "storage/memtable/row_parts.h"

#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

// A part up to this size is merged with the next write. So a row up to this size has one part, and a read of the row
// need not merge.
constexpr size_t kMergedBytes = 1'024;
// Merging never makes a larger part, because the size of a part is stored in 31 bits.
constexpr size_t kPartBytesMax = size_t{1} << 30;

bool MergeRecords(const TableColumns& columns, ByteView older, ByteView newer, Bytes& merged) {
  if (Supersedes(newer, older)) {
    merged.assign(newer);
    return true;
  }
  StoredRow before, after;
  if (!DecodeRow(older, before) || !DecodeRow(newer, after)) return false;
  merged = EncodeRow(MergeRows(columns, std::move(before.content), std::move(after.content)), {}, columns);
  return true;
}

// True if it is certain that `newer` replaces or deletes all of `older`. Then the two are merged even if `older` is
// large, because nothing of `older` remains.
bool Replaces(ByteView newer, ByteView older) {
  if (Supersedes(newer, older)) return true;
  const int64_t timestamp = MinTimestamp(older);
  const bool deletes = newer.size() >= 2 && (static_cast<uint8_t>(newer[1]) & row_flags::kDeletion) != 0;
  StoredRow row;
  return deletes && timestamp != kNoTimestamp && DecodeRow(newer, row) && row.content.deletion.Deletes(timestamp);
}

// True if `older` is not merged with `newer`, but stays a part of its own in the chain.
bool StaysApart(ByteView newer, ByteView older) {
  if (older.size() <= kMergedBytes) return false;
  if (older.size() + newer.size() > kPartBytesMax) return true;
  return older.size() >= 2 * newer.size() && !Replaces(newer, older);
}

}  // namespace

Result<RowParts> MergeOver(const TableColumns& columns, const Memtable::Version& newest, ByteView record) {
  RowParts parts;
  ByteView merged = record;
  const Memtable::Version* part = &newest;
  for (; part != nullptr && !StaysApart(merged, part->record()); part = part->rest()) {
    Bytes next;
    if (!MergeRecords(columns, part->record(), merged, next)) {
      return ServerError("Damaged record of a write in memory",
                         "restart the server; if it does not start, restore the data directory from a backup");
    }
    parts.record = std::move(next);
    merged = parts.record;
  }
  if (part == &newest) parts.record.assign(record);
  parts.rest = part;
  return parts;
}

bool WholeRow(const TableColumns& columns, const Memtable::Version& version, RowFragment& row) {
  StoredRow part;
  if (!DecodeRow(version.record(), part)) return false;
  row = std::move(part.content);
  for (const Memtable::Version* rest = version.rest(); rest != nullptr; rest = rest->rest()) {
    part = {};
    if (!DecodeRow(rest->record(), part)) return false;
    row = MergeRows(columns, std::move(part.content), std::move(row));
  }
  return true;
}

}  // namespace widerow
