#include "storage/reconcile/partition_tombstones.h"

#include "storage/reconcile/merge.h"
#include "storage/reconcile/range_tombstones.h"

namespace widerow {

void PartitionTombstones::Add(const DeletionTime& partition_deletion) {
  partition_ = Newer(partition_, partition_deletion);
  std::erase_if(ranges_, [&](const auto& range) { return partition_.Deletes(range->deletion.timestamp); });
}

void PartitionTombstones::Add(const RangeTombstone& added) {
  if (partition_.Deletes(added.deletion.timestamp)) return;
  // The tombstones that overlap or touch `added` are next to each other.
  const auto first = std::find_if(ranges_.begin(), ranges_.end(), [&](const auto& range) {
    return !range->end.has_value() || *range->end >= added.begin;
  });
  const auto last = std::find_if(first, ranges_.end(),
                                 [&](const auto& range) { return added.end.has_value() && range->begin > *added.end; });
  std::vector<RangeTombstone> met;
  for (auto at = first; at != last; ++at) met.push_back(**at);
  std::vector<std::shared_ptr<const RangeTombstone>> next;
  for (RangeTombstone& range : AddRangeTombstone(met, added)) {
    next.push_back(std::make_shared<const RangeTombstone>(std::move(range)));
  }
  const auto at = ranges_.erase(first, last);
  ranges_.insert(at, std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
}

DeletionTime PartitionTombstones::Covering(ByteView clustering) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), clustering,
                       [](ByteView wanted, const auto& range) { return wanted < ByteView(range->begin); });
  if (after == ranges_.begin()) return partition_;
  const RangeTombstone& range = **(after - 1);
  const bool covers = !range.end.has_value() || clustering < ByteView(*range.end);
  return covers ? Newer(partition_, range.deletion) : partition_;
}

}  // namespace widerow
