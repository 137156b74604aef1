#include "storage/bulk/bulk_slice.h"

#include "base/limits.h"
#include "storage/format/damage.h"
#include "types/position.h"

namespace widerow {
namespace {

constexpr size_t kGatheredRowsMax = 256;

// True if the entry may be stored directly (bulk_slice.h). Its key must be shorter than LMDB's longest key, so that no
// link is needed (long_keys.h). Its record must be so small that no value is spilled. It must have no deletions,
// tombstones or expiring cells, which may have to be purged later.
bool MayBeStoredAsItIs(const BulkEntry& entry) {
  return entry.key.size() < limits::kLmdbKeyBytesMax && entry.record.size() <= kInlineBytesMax &&
         !MayBePurgeable(entry.record);
}

}  // namespace

Result<BulkSlice> BulkSlice::Open(WriteContext& context, const TableColumns& columns) {
  WR_ASSIGN_OR_RETURN(lmdb::Cursor cursor, lmdb::Cursor::Open(context.txn().ref(), lmdb::Db::kData));
  return BulkSlice(context, columns, std::move(cursor));
}

Status BulkSlice::Put(const BulkEntry& entry) {
  if (prefix_.empty() || !entry.key.starts_with(prefix_)) WR_RETURN_IF_ERROR(BeginPartition(entry.key));
  if (!live_) return OkStatus();
  if (has_tombstones_ || !MayBeStoredAsItIs(entry) || entry.key == last_stored_) return Gather(entry);
  if (!InGap(entry.key)) {
    WR_ASSIGN_OR_RETURN(const bool is_there, Seek(entry.key));
    if (is_there) return Gather(entry);
  }
  return Store(entry);
}

Status BulkSlice::Finish() {
  if (prefix_.empty()) return OkStatus();
  WR_RETURN_IF_ERROR(MergeGathered());
  const TableSchema& table = *columns_.table();
  const uint32_t partition = PartitionIdOf(table, ByteView(prefix_).substr(sizeof(StorageId)));
  StoredCounters& counters = context_.state().counters[{table.storage_id, partition}];
  counters.rows += delta_.rows;
  counters.bytes += delta_.bytes;
  context_.sizes().Add(prefix_, delta_.rows, delta_.bytes);
  delta_ = {};
  return OkStatus();
}

Status BulkSlice::BeginPartition(ByteView key) {
  WR_RETURN_IF_ERROR(Finish());
  prefix_.assign(key.substr(0, PartitionPrefixSize(key)));
  live_ = IsLive(*columns_.table(), prefix_);
  if (!live_) return OkStatus();
  has_tombstones_ = false;
  if (prefix_.size() + 1 >= limits::kLmdbKeyBytesMax) {
    has_tombstones_ = true;
    return OkStatus();
  }
  if (InGap(prefix_) && !GapEndsInPartition()) return OkStatus();
  WR_RETURN_IF_ERROR(Seek(prefix_));
  if (!GapEndsInPartition()) return OkStatus();
  const auto kind = [&] { return static_cast<RecordKind>(gap_end_[prefix_.size()]); };
  if (kind() == RecordKind::kStatic) WR_RETURN_IF_ERROR(Seek(gap_end_ + '\0'));
  has_tombstones_ = GapEndsInPartition() && (kind() == RecordKind::kHeader || kind() == RecordKind::kRangeTombstone);
  gap_ = Gap::kUnknown;
  return OkStatus();
}

Result<bool> BulkSlice::Seek(ByteView key) {
  ByteView found, value;
  const lmdb::Rc rc = cursor_.SeekAtOrAfter(key, found, value);
  WR_RETURN_IF_ERROR(CheckRc(rc, "reading"));
  gap_ = rc.ok() ? Gap::kToKey : Gap::kOpen;
  gap_end_.assign(rc.ok() ? found : ByteView());
  return rc.ok() && found == key;
}

Status BulkSlice::Store(const BulkEntry& entry) {
  const lmdb::Rc rc =
      gap_ == Gap::kOpen ? cursor_.Append(entry.key, entry.record) : cursor_.Put(entry.key, entry.record);
  WR_RETURN_IF_ERROR(CheckRc(rc, "writing"));
  last_stored_.assign(entry.key);
  if (static_cast<RecordKind>(entry.key[prefix_.size()]) == RecordKind::kRow) ++delta_.rows;
  delta_.bytes += static_cast<int64_t>(entry.key.size() + entry.record.size());
  return OkStatus();
}

Status BulkSlice::Gather(const BulkEntry& entry) {
  StoredRow row;
  if (!DecodeRow(entry.record, row)) return DamagedRecord(*columns_.table(), entry.key, "row of a bulk load");
  const bool is_static = static_cast<RecordKind>(entry.key[prefix_.size()]) == RecordKind::kStatic;
  gathered_.rows.push_back({is_static, Bytes(entry.key.substr(prefix_.size() + 1)), std::move(row.content)});
  return gathered_.rows.size() < kGatheredRowsMax ? OkStatus() : MergeGathered();
}

Status BulkSlice::MergeGathered() {
  if (gathered_.rows.empty()) return OkStatus();
  PartitionWriter writer(context_, columns_, prefix_);
  WR_RETURN_IF_ERROR(writer.Apply(std::move(gathered_)));
  gathered_.rows.clear();
  delta_.rows += writer.rows_delta();
  delta_.bytes += writer.bytes_delta();
  gap_ = Gap::kUnknown;
  return OkStatus();
}

}  // namespace widerow
