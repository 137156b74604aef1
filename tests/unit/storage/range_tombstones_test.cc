#include "storage/reconcile/range_tombstones.h"

#include <gtest/gtest.h>

#include <random>

#include "storage/reconcile/merge.h"

namespace widerow {
namespace {

constexpr int kPoints = 12;

Bytes Point(int i) { return Bytes(1, static_cast<char>('a' + i)); }

RangeTombstone RandomRange(std::mt19937& random) {
  const int begin = static_cast<int>(random() % kPoints);
  RangeTombstone out{.begin = Point(begin)};
  if (random() % 5 != 0) out.end = Point(begin + 1 + static_cast<int>(random() % 4));
  out.deletion = {static_cast<int64_t>(random() % 5), static_cast<int64_t>(random() % 2)};
  return out;
}

// Returns the newest deletion at each point, computed from a list of tombstones.
std::vector<DeletionTime> ByPoint(const std::vector<RangeTombstone>& list) {
  std::vector<DeletionTime> out(kPoints + 6);
  for (const RangeTombstone& t : list) {
    for (size_t i = 0; i < out.size(); ++i) {
      const Bytes at = Point(static_cast<int>(i));
      if (t.begin <= at && (!t.end.has_value() || at < *t.end)) out[i] = Newer(out[i], t.deletion);
    }
  }
  return out;
}

TEST(RangeTombstonesTest, AddingKeepsTheNewestEverywhereWithoutOverlaps) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<RangeTombstone> stored, all;
    for (int i = 0; i < 8; ++i) {
      const RangeTombstone added = RandomRange(random);
      all.push_back(added);
      stored = AddRangeTombstone(stored, added);
      ASSERT_EQ(ByPoint(stored), ByPoint(all));
      for (size_t j = 0; j + 1 < stored.size(); ++j) {
        ASSERT_TRUE(stored[j].end.has_value());
        ASSERT_LE(*stored[j].end, stored[j + 1].begin);
        ASSERT_FALSE(*stored[j].end == stored[j + 1].begin && stored[j].deletion == stored[j + 1].deletion)
            << "neighbours of one deletion are one tombstone";
      }
    }
  }
}

}  // namespace
}  // namespace widerow
