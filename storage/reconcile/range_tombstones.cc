#include "storage/reconcile/range_tombstones.h"

#include <algorithm>

#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

bool Covers(const RangeTombstone& tombstone, const Bytes& at) {
  return tombstone.begin <= at && (!tombstone.end.has_value() || at < *tombstone.end);
}

}  // namespace

std::vector<RangeTombstone> AddRangeTombstone(const std::vector<RangeTombstone>& stored, const RangeTombstone& added) {
  // Between two neighbours in `points` no tombstone begins or ends.
  std::vector<Bytes> points{added.begin};
  if (added.end.has_value()) points.push_back(*added.end);
  for (const RangeTombstone& old : stored) {
    points.push_back(old.begin);
    if (old.end.has_value()) points.push_back(*old.end);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());

  std::vector<RangeTombstone> out;
  auto old = stored.begin();
  for (size_t i = 0; i < points.size(); ++i) {
    const Bytes& begin = points[i];
    while (old != stored.end() && old->end.has_value() && *old->end <= begin) ++old;
    DeletionTime deletion;
    if (old != stored.end() && Covers(*old, begin)) deletion = old->deletion;
    if (Covers(added, begin)) deletion = Newer(deletion, added.deletion);
    if (!deletion.present()) continue;
    std::optional<Bytes> end;
    if (i + 1 < points.size()) end = points[i + 1];
    if (!out.empty() && out.back().end == begin && out.back().deletion == deletion) {
      out.back().end = std::move(end);
    } else {
      out.push_back({begin, std::move(end), deletion});
    }
  }
  return out;
}

}  // namespace widerow
