#include "storage/fold/purge_scan.h"

#include "storage/fold/write_context.h"
#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

constexpr size_t kKeysBetweenLooksAtTheTime = 64;
constexpr size_t kChunkNumberBytes = sizeof(uint32_t);

}  // namespace

Result<bool> PurgeScan::Run(Bytes& from, ByteView end, Clock::time_point until) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor opened, lmdb::Cursor::Open(txn_, lmdb::Db::kData));
  LongKeyCursor cursor(std::move(opened));
  lmdb::Rc rc = cursor.SeekAtOrAfter(from);
  while (rc.ok() && cursor.key() < end) {
    ++examined_;
    Look(cursor.key(), cursor.value());
    if (candidates_.size() >= kPurgeCandidatesMax ||
        (examined_ % kKeysBetweenLooksAtTheTime == 0 && Clock::now() >= until)) {
      from.assign(cursor.key()).push_back('\0');
      return false;
    }
    rc = SkipPieces(cursor) ? cursor.SeekAtOrAfter(past_pieces_) : cursor.Next();
  }
  WR_RETURN_IF_ERROR(CheckRc(rc, "sweeping"));
  from.assign(end);
  return true;
}

// If the cursor is on a piece of a large object, sets past_pieces_ to a key after all pieces of the partition. The
// pieces have the last keys of the partition, and reading each of them would take long.
bool PurgeScan::SkipPieces(const LongKeyCursor& cursor) {
  const size_t prefix_size = PartitionPrefixSize(cursor.key());
  if (prefix_size == 0 || static_cast<RecordKind>(cursor.key()[prefix_size]) != RecordKind::kPiece) return false;
  past_pieces_.assign(cursor.key().substr(0, prefix_size)).push_back(static_cast<char>(kLastKind) + 1);
  return true;
}

void PurgeScan::Look(ByteView key, ByteView value) {
  const size_t prefix_size = PartitionPrefixSize(key);
  if (prefix_size == 0 || !IsLive(*columns_.table(), key)) return;
  const auto kind = static_cast<RecordKind>(key[prefix_size]);
  if (kind == RecordKind::kPiece) return;
  if (kind == RecordKind::kSpill) return LookAtElement(key, prefix_size, value);
  const bool is_row = kind == RecordKind::kRow || kind == RecordKind::kStatic;
  if (is_row && !MayBePurgeable(value)) return;
  if (const std::optional<int64_t> since = SinceOf(kind, value))
    Add(key, prefix_size, is_row ? Bytes(key) : Bytes(), *since);
}

std::optional<int64_t> PurgeScan::SinceOf(RecordKind kind, ByteView value) const {
  if (kind == RecordKind::kHeader) {
    DeletionTime deletion;
    return DecodeHeader(value, deletion) ? std::optional(deletion.local_seconds) : std::nullopt;
  }
  if (kind == RecordKind::kRangeTombstone) {
    RangeTombstone range;
    return DecodeRangeTombstone(value, range) ? std::optional(range.deletion.local_seconds) : std::nullopt;
  }
  StoredRow row;
  return DecodeRow(value, row) ? EarliestSince(row.content, times_) : std::nullopt;
}

// Examines an element of a spilled collection. Spilled simple values are skipped, because the record of their row says
// if they expire.
void PurgeScan::LookAtElement(ByteView key, size_t prefix_size, ByteView value) {
  constexpr uint8_t kGoes = cell_flags::kTombstone | cell_flags::kOwnTtl;
  if (value.size() < 2 || (static_cast<uint8_t>(value[1]) & kGoes) == 0 || key.size() < kChunkNumberBytes) return;
  if (ReadBigEndian<uint32_t>(key.data() + key.size() - kChunkNumberBytes) != 0) return;
  ByteView rest = key.substr(prefix_size + 1);
  Bytes clustering;
  if (!TakeDelimited(rest, clustering) || rest.size() < sizeof(ColumnId)) return;
  if (!columns_.multi_cell(ReadBigEndian<ColumnId>(rest.data()))) return;
  SpilledCell spilled;
  if (!DecodeSpilledCell(value, spilled)) return;
  Bytes row_key(key.substr(0, prefix_size));
  const bool is_static = clustering.empty() && columns_.table()->clustering_size > 0;
  AppendKind(is_static ? RecordKind::kStatic : RecordKind::kRow, row_key);
  row_key.append(clustering);
  Add(key.substr(0, key.size() - kChunkNumberBytes), prefix_size, std::move(row_key), times_.SinceOf(spilled.cell));
}

void PurgeScan::Add(ByteView key, size_t prefix_size, Bytes row_key, int64_t since) {
  if (times_.IsDue(since)) {
    candidates_.push_back({Bytes(key), prefix_size, std::move(row_key), since});
  } else {
    ++left_;
    left_since_ = std::min(left_since_, since);
  }
}

}  // namespace widerow
