#include "exec/derived/logged_load.h"

#include <utility>

namespace widerow {

namespace {

size_t BytesOf(const PartitionMutation& mutation) {
  size_t bytes = mutation.partition_key.size();
  for (const RowMutation& row : mutation.rows) {
    bytes += row.clustering.size();
    for (const Cell& cell : row.content.cells) bytes += cell.path.size() + cell.value.size();
  }
  return bytes;
}

}  // namespace

Status LoggedLoad::Add(size_t lane_number, const PartitionMutation& mutation) {
  Lane& lane = lanes_[lane_number];
  lane.gathered.push_back(mutation);
  lane.bytes += BytesOf(mutation);
  entries_.fetch_add(mutation.rows.size(), std::memory_order_relaxed);
  return lane.gathered.size() < kRowsInWrite && lane.bytes < kBytesInWrite ? OkStatus() : WriteLane(lane);
}

Status LoggedLoad::WriteLane(Lane& lane) {
  if (lane.gathered.empty()) return OkStatus();
  lane.bytes = 0;
  const Mutation gathered = std::exchange(lane.gathered, {});
  Status written = storage_.Apply({.mutation = gathered, .decide = {}});
  if (written.ok() || written.error().code != ErrorCode::kInvalid || gathered.size() == 1) return written;
  // One of the rows is refused. The others are written, each by itself.
  Status refused = OkStatus();
  for (const PartitionMutation& mutation : gathered) {
    Status alone = storage_.Apply({.mutation = {mutation}, .decide = {}});
    if (!alone.ok() && refused.ok()) refused = std::move(alone);
  }
  return refused;
}

Status LoggedLoad::Store(const std::function<void(uint64_t)>& progress) {
  for (Lane& lane : lanes_) WR_RETURN_IF_ERROR(WriteLane(lane));
  const uint64_t stored = entries_.exchange(0);
  if (progress) progress(stored);
  return OkStatus();
}

}  // namespace widerow
