#include "storage/reconcile/partition_tombstones.h"

#include <algorithm>

#include "storage/reconcile/merge.h"

namespace widerow {

void PartitionTombstones::Add(const DeletionTime& partition_deletion) {
  partition_ = Newer(partition_, partition_deletion);
  // Levels that also have newer tombstones keep the deleted ones until these levels are merged.
  std::erase_if(levels_, [&](const LevelPtr& level) { return partition_.Deletes(level->newest); });
}

void PartitionTombstones::Add(RangeTombstone added) {
  if (partition_.Deletes(added.deletion.timestamp)) return;
  Level level{.ranges = {}, .newest = added.deletion.timestamp};
  shared_bytes_ += BytesOf(added);
  level.ranges.push_back(std::make_shared<const RangeTombstone>(std::move(added)));
  while (!levels_.empty() && levels_.back()->ranges.size() < 2 * level.ranges.size()) {
    level.ranges = Merged(levels_.back()->ranges, level.ranges, shared_bytes_);
    level.newest = std::max(level.newest, levels_.back()->newest);
    levels_.pop_back();
  }
  shared_bytes_ += sizeof level + level.ranges.size() * sizeof(level.ranges[0]);
  levels_.push_back(std::make_shared<const Level>(std::move(level)));
}

RangeTombstones PartitionTombstones::Merged(const RangeTombstones& a, const RangeTombstones& b,
                                            size_t& bytes_made) const {
  RangeTombstones merged = MergeRangeTombstones(a, b, bytes_made);
  std::erase_if(merged, [&](const auto& range) { return partition_.Deletes(range->deletion.timestamp); });
  return merged;
}

RangeTombstones PartitionTombstones::Ranges() const {
  RangeTombstones all;
  size_t bytes = 0;
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) all = Merged((*level)->ranges, all, bytes);
  return all;
}

size_t PartitionTombstones::range_count() const {
  size_t count = 0;
  for (const LevelPtr& level : levels_) count += level->ranges.size();
  return count;
}

DeletionTime PartitionTombstones::Covering(ByteView clustering) const {
  DeletionTime newest = partition_;
  for (const LevelPtr& level : levels_) {
    const RangeTombstones& ranges = level->ranges;
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), clustering,
                         [](ByteView wanted, const auto& range) { return wanted < ByteView(range->begin); });
    if (after == ranges.begin()) continue;
    const RangeTombstone& range = **(after - 1);
    if (!range.end.has_value() || clustering < ByteView(*range.end)) newest = Newer(newest, range.deletion);
  }
  return newest;
}

}  // namespace widerow
