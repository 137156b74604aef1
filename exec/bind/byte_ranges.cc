#include "exec/bind/byte_ranges.h"

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

ClusteringRange ToClusteringRange(ByteRange range) {
  return {.begin = std::move(range.begin),
          .end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end)),
          .exact = false};
}

// One bound, `later` in byte order for > and >=, on columns of one direction: one range, as a whole tuple compares.
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
    range = {};  // Nothing lies beyond.
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
    // Neighbours that touch become one: one seek instead of two.
    if (out.size() > first_new && out.back().end && *out.back().end == range.begin) {
      out.back().end = range.open_end ? std::nullopt : std::optional<Bytes>(std::move(range.end));
      continue;
    }
    out.push_back(ToClusteringRange(std::move(range)));
  }
}

}  // namespace widerow
