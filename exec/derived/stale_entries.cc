#include "exec/derived/stale_entries.h"

#include "exec/derived/base_place.h"
#include "exec/derived/maintenance.h"
#include "storage/format/key_codec.h"

namespace widerow {
namespace {

constexpr size_t kLookedAtMax = 4'096;  // The most rows read from one snapshot; this takes some milliseconds.
constexpr size_t kDeletedMax = 256;     // The most deletions in one write.

}  // namespace

bool StaleEntries::MayBeStale(const BasePlace& place) const {
  // The partition that contains the base row's key now shows whether rows with this key were removed. In a LIST table,
  // after DROP PARTITION, this may be another partition than before. So all derived rows of a LIST table are checked.
  if (of_ == Of::kAnyRows || base_->partitioning.kind == PartitionKind::kList) return true;
  Bytes prefix;
  AppendPartitionPrefix(*base_, place.partition_key, prefix);
  return ReadBigEndian<StorageId>(prefix.data()) != base_->storage_id;
}

Result<bool> StaleEntries::FindStale(Mutation& deletions) {
  const TablePtr& derived = derivation_->table();
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadView> view, storage_.OpenView());
  Slice slice;
  slice.table = derived;
  if (derived->partitioning.by_token())
    slice.partitions = Slice::TokenRange{};
  else
    slice.partitions = Slice::KeyRange{};
  slice.resume = at_;
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<RowCursor> cursor, view->OpenSlice(slice));
  const int64_t now_seconds = storage_.clock().NowSeconds();
  RowView row;
  Arena room;
  for (size_t rows = 0; rows < kLookedAtMax && deletions.size() < kDeletedMax; ++rows) {
    WR_ASSIGN_OR_RETURN(const bool more, cursor->Next(row));
    if (!more) return true;
    at_ = Slice::ResumePoint{.partition_key = Bytes(row.partition_key), .clustering = Bytes(row.clustering)};
    at_->partition_done = derived->clustering_size == 0;
    if (!row.marker.present()) continue;
    WR_ASSIGN_OR_RETURN(const BasePlace place, BasePlaceOf(*base_, *derivation_, row));
    if (!MayBeStale(place)) continue;
    room.Clear();
    WR_ASSIGN_OR_RETURN(const bool follows, FollowsFrom(*view, room, *base_, *derivation_, place, row));
    if (follows) continue;
    const DerivedRow key{.partition_key = at_->partition_key, .clustering = at_->clustering};
    AppendDerivedChanges(derived, {key}, {}, row.marker.timestamp, now_seconds, deletions);
  }
  return false;
}

Result<bool> StaleEntries::RemoveSome(const StillSo& still_so) {
  Mutation deletions;
  WR_ASSIGN_OR_RETURN(const bool last, FindStale(deletions));
  if (deletions.empty()) return last;
  WR_ASSIGN_OR_RETURN(const bool so, still_so());
  if (!so) return true;
  WR_RETURN_IF_ERROR(storage_.Apply({.mutation = std::move(deletions), .decide = {}}));
  return last;
}

}  // namespace widerow
