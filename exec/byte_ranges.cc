#include "exec/byte_ranges.h"

#include <algorithm>

#include "types/order_codec.h"

namespace widerow {

namespace {

// `end` empty and open_end: no upper bound. All ranges here are half-open.
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

// Rows under `prefix` whose next columns lie on one side of the bound: `above` for > and >=, else < and <=. One range for
// each column at which a row can first differ, and one for equality.
std::vector<ByteRange> Side(const TableSchema& table, const Bytes& prefix, const BoundValues& bound, bool above) {
  std::vector<ByteRange> ranges;
  const ByteRange all = StartingWith(prefix);
  Bytes equal = prefix;
  for (uint32_t i = 0; i < bound.values.size(); ++i) {
    const ColumnSchema& column = table.clustering(bound.first + i);
    const ByteRange same_so_far = i == 0 ? all : StartingWith(equal);
    AppendComparable(*column.type, column.descending, ByteView(bound.values[i]), equal);
    const ByteRange here = StartingWith(equal);
    if (above != column.descending) {  // Later in byte order.
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
    // Neighbours that touch become one: one seek instead of two.
    if (out.size() > first_new && out.back().end && *out.back().end == range.begin) {
      out.back().end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end));
      continue;
    }
    out.push_back({.begin = std::move(range.begin),
                   .end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end))});
  }
}

}  // namespace widerow
