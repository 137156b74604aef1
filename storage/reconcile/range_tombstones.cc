#include "storage/reconcile/range_tombstones.h"

#include <algorithm>

#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

bool Covers(const RangeTombstone& tombstone, const Bytes& at) {
  return tombstone.begin <= at && (!tombstone.end.has_value() || at < *tombstone.end);
}

// Reads a list of range tombstones from the front; a tombstone can be taken in parts.
class UnmergedRanges {
 public:
  explicit UnmergedRanges(const RangeTombstones& list) : list_(list) {}

  bool empty() const { return at_ == list_.size(); }
  const Bytes& begin() const { return begin_.has_value() ? *begin_ : list_[at_]->begin; }
  const std::optional<Bytes>& end() const { return list_[at_]->end; }
  const DeletionTime& deletion() const { return list_[at_]->deletion; }
  // Returns the first tombstone, or null if a part of it has been taken.
  std::shared_ptr<const RangeTombstone> whole() const { return begin_.has_value() ? nullptr : list_[at_]; }
  // Takes the part of the first tombstone before `end`, which must not be after the end of the tombstone.
  void TakeUntil(const std::optional<Bytes>& end) {
    if (end == this->end()) {
      ++at_;
      begin_.reset();
    } else {
      begin_ = end;
    }
  }

 private:
  const RangeTombstones& list_;
  size_t at_ = 0;
  std::optional<Bytes> begin_;  // Set if a part of the first tombstone has been taken.
};

// True if the end `a` is before the end `b`. nullopt is the end of the partition.
bool EndsBefore(const std::optional<Bytes>& a, const std::optional<Bytes>& b) {
  return a.has_value() && (!b.has_value() || *a < *b);
}

// Collects the result of a merge.
class MergedRanges {
 public:
  explicit MergedRanges(size_t& bytes_made) : bytes_made_(bytes_made) {}

  // Moves the part of `rest` before `end` to the result.
  void Take(UnmergedRanges& rest, const std::optional<Bytes>& end) {
    Add(end == rest.end() ? rest.whole() : nullptr, rest.begin(), end, rest.deletion());
    rest.TakeUntil(end);
  }
  void Add(std::shared_ptr<const RangeTombstone> whole, const Bytes& begin, const std::optional<Bytes>& end,
           const DeletionTime& deletion) {
    const bool joins = !out_.empty() && out_.back()->end == begin && out_.back()->deletion == deletion;
    if (joins) {
      out_.back() = Make({out_.back()->begin, end, deletion});
    } else {
      out_.push_back(whole != nullptr ? std::move(whole) : Make({begin, end, deletion}));
    }
  }
  RangeTombstones Release() && { return std::move(out_); }

 private:
  std::shared_ptr<const RangeTombstone> Make(RangeTombstone tombstone) {
    bytes_made_ += BytesOf(tombstone);
    return std::make_shared<const RangeTombstone>(std::move(tombstone));
  }

  RangeTombstones out_;
  size_t& bytes_made_;
};

}  // namespace

size_t BytesOf(const RangeTombstone& tombstone) {
  constexpr size_t kCounts = 16;  // The size of the shared pointer's reference counts.
  const size_t end = tombstone.end.has_value() ? tombstone.end->size() : 0;
  return sizeof tombstone + kCounts + tombstone.begin.size() + end;
}

RangeTombstones MergeRangeTombstones(const RangeTombstones& a, const RangeTombstones& b, size_t& bytes_made) {
  MergedRanges merged(bytes_made);
  UnmergedRanges left(a), right(b);
  while (!left.empty() && !right.empty()) {
    UnmergedRanges& first = left.begin() <= right.begin() ? left : right;
    UnmergedRanges& second = &first == &left ? right : left;
    if (first.begin() < second.begin()) {
      const std::optional<Bytes> gap = second.begin();
      merged.Take(first, EndsBefore(first.end(), gap) ? first.end() : gap);
      continue;
    }
    const std::optional<Bytes> end = EndsBefore(first.end(), second.end()) ? first.end() : second.end();
    const bool first_wins = Newer(second.deletion(), first.deletion()) == first.deletion();
    const UnmergedRanges& winner = first_wins ? first : second;
    merged.Add(end == winner.end() ? winner.whole() : nullptr, winner.begin(), end, winner.deletion());
    first.TakeUntil(end);
    second.TakeUntil(end);
  }
  for (UnmergedRanges* rest : {&left, &right}) {
    while (!rest->empty()) merged.Take(*rest, std::optional<Bytes>(rest->end()));
  }
  return std::move(merged).Release();
}

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
