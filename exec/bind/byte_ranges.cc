#include "exec/bind/byte_ranges.h"

#include <algorithm>

#include "types/order_codec.h"

namespace widerow {

namespace {

// A half-open range. With open_end, it has no upper bound and `end` is empty.
struct ByteRange {
  Bytes begin, end;
  bool open_end = false;

  bool Empty() const { return !open_end && begin >= end; }
};

ByteRange StartingWith(const Bytes& prefix) {
  ByteRange range{.begin = prefix, .end = ByteSuccessor(prefix)};
  range.open_end = range.end.empty();
  return range;
}

ByteRange Intersect(const ByteRange& a, const ByteRange& b) {
  ByteRange range;
  range.begin = std::max(a.begin, b.begin);
  range.open_end = a.open_end && b.open_end;
  if (!range.open_end) range.end = a.open_end ? b.end : b.open_end ? a.end : std::min(a.end, b.end);
  return range;
}

ClusteringRange ToClusteringRange(ByteRange range) {
  return {.begin = std::move(range.begin),
          .end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end)),
          .exact = false};
}

// Returns the range on one side of a bound. All columns of the bound must have one direction, so that tuples compare as
// their bytes do. `later` selects the later side in byte order.
ByteRange OneSided(const TableSchema& table, const Bytes& prefix, const BoundValues& bound, bool later) {
  ByteRange range = StartingWith(prefix);
  Bytes equal = prefix;
  for (uint32_t i = 0; i < bound.values.size(); ++i) {
    const ColumnSchema& column = table.clustering(bound.first + i);
    AppendComparable(*column.type, column.descending, ByteView(bound.values[i]), equal);
  }
  if (later == bound.inclusive) {
    (later ? range.begin : range.end) = std::move(equal);
    if (!later) range.open_end = false;
    return range;
  }
  Bytes past = ByteSuccessor(equal);
  if (!later) {
    range.open_end = past.empty();
    range.end = std::move(past);
  } else if (past.empty()) {
    range = {};  // Nothing is after the prefix.
  } else {
    range.begin = std::move(past);
  }
  return range;
}

bool OneDirection(const TableSchema& table, const BoundValues& bound) {
  for (uint32_t i = 1; i < bound.values.size(); ++i) {
    if (table.clustering(bound.first + i).descending != table.clustering(bound.first).descending) return false;
  }
  return true;
}

// Returns the ranges of the rows under `prefix` whose next columns are above the bound, or below it if `above` is
// false. There is one range for each column in which a row can first differ from the bound. If the bound is inclusive,
// there is one more range, for the rows that equal it.
std::vector<ByteRange> Side(const TableSchema& table, const Bytes& prefix, const BoundValues& bound, bool above) {
  std::vector<ByteRange> ranges;
  const ByteRange all = StartingWith(prefix);
  Bytes equal = prefix;
  for (uint32_t i = 0; i < bound.values.size(); ++i) {
    const ColumnSchema& column = table.clustering(bound.first + i);
    const ByteRange same_so_far = i == 0 ? all : StartingWith(equal);
    AppendComparable(*column.type, column.descending, ByteView(bound.values[i]), equal);
    const ByteRange here = StartingWith(equal);
    if (above != column.descending) {  // The rows on this side come later in byte order.
      if (!here.open_end) {
        ranges.push_back({.begin = here.end, .end = same_so_far.end, .open_end = same_so_far.open_end});
      }
    } else {
      ranges.push_back({.begin = same_so_far.begin, .end = here.begin});
    }
  }
  if (bound.inclusive) ranges.push_back(StartingWith(equal));
  return ranges;
}

}  // namespace

void AppendSliceRanges(const TableSchema& table, const Bytes& prefix, const std::optional<BoundValues>& lower,
                       const std::optional<BoundValues>& upper, std::vector<ClusteringRange>& out) {
  if (lower.has_value() != upper.has_value()) {
    const BoundValues& bound = lower ? *lower : *upper;
    if (OneDirection(table, bound)) {
      ByteRange range = OneSided(table, prefix, bound, lower.has_value() != table.clustering(bound.first).descending);
      if (!range.Empty()) out.push_back(ToClusteringRange(std::move(range)));
      return;
    }
  }
  std::vector<ByteRange> ranges{StartingWith(prefix)};
  const auto narrow = [&](const std::optional<BoundValues>& bound, bool above) {
    if (!bound) return;
    std::vector<ByteRange> narrowed;
    for (const ByteRange& side : Side(table, prefix, *bound, above)) {
      for (const ByteRange& range : ranges) {
        ByteRange both = Intersect(range, side);
        if (!both.Empty()) narrowed.push_back(std::move(both));
      }
    }
    ranges = std::move(narrowed);
  };
  narrow(lower, true);
  narrow(upper, false);
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  const size_t first_new = out.size();
  for (ByteRange& range : ranges) {
    // Adjacent ranges are joined: one seek instead of two.
    if (out.size() > first_new && out.back().end && *out.back().end == range.begin) {
      out.back().end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end));
      continue;
    }
    out.push_back(ToClusteringRange(std::move(range)));
  }
}

}  // namespace widerow
