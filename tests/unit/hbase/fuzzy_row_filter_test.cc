// FuzzyRowFilter over rows in memory: the read follows each hint, as a scan does.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "net/hbase/filter/make_filters.h"

namespace widerow::hbase {
namespace {

using std::string_literals::operator""s;

struct Read {
  std::vector<Bytes> included;
  size_t visited = 0;  // Rows that the filter has seen.
};

// Reads `rows`, which are in ascending order, through the filter.
Read ReadThrough(Filter& filter, const std::vector<Bytes>& rows, bool reversed) {
  std::vector<Bytes> order = rows;
  if (reversed) std::ranges::reverse(order);
  filter.SetReversed(reversed);
  Read read;
  for (size_t at = 0; at < order.size() && !filter.AllRemaining();) {
    const Bytes& row = order[at++];
    ++read.visited;
    filter.Reset();
    const FilterCode code = filter.FilterCell(row, Cell{});
    if (!filter.FilterRow()) read.included.push_back(row);
    if (code != FilterCode::kSeekUsingHint) continue;
    const std::optional<FilterHint> hint = filter.NextHint(row, Cell{});
    if (!hint) continue;
    while (at < order.size() && (reversed ? order[at] > hint->row : order[at] < hint->row)) ++at;
  }
  return read;
}

// Returns true if the row matches. In the mask, 0 marks a byte that must be equal, and 1 a byte that may be any.
bool Matches(const FuzzyKey& key, const Bytes& row) {
  for (size_t i = 0; i < std::min(key.key.size(), row.size()); ++i) {
    if (key.mask[i] == 0 && key.key[i] != row[i]) return false;
  }
  return true;
}

TEST(FuzzyRowFilter, HintsPassOverNoRowThatMatches) {
  // The rows are all texts of three or four of these bytes, so hints raise or lower a byte at each position. If this
  // byte is already the greatest or the least one, the hint changes an earlier byte.
  const Bytes bytes = "\x00\x01\x7f\x80\xff"s;
  std::vector<Bytes> rows;
  for (const char a : bytes) {
    for (const char b : bytes) {
      for (const char c : bytes) {
        rows.push_back({a, b, c});
        for (const char d : bytes) rows.push_back({a, b, c, d});
      }
    }
  }
  std::ranges::sort(rows);
  std::mt19937 random(1);
  size_t jumped = 0;
  for (int round = 0; round < 1000; ++round) {
    std::vector<FuzzyKey> keys(1 + random() % 3);
    for (FuzzyKey& key : keys) {
      for (size_t i = 0, length = 1 + random() % 3; i < length; ++i) {
        key.key += bytes[random() % bytes.size()];
        key.mask += static_cast<char>(random() % 2);
      }
    }
    std::vector<Bytes> expected;
    for (const Bytes& row : rows) {
      if (std::ranges::any_of(keys, [&](const FuzzyKey& key) { return Matches(key, row); })) expected.push_back(row);
    }
    for (const bool reversed : {false, true}) {
      const FilterPtr filter = MakeFuzzyRowFilter(keys, true);
      const Read read = ReadThrough(*filter, rows, reversed);
      ASSERT_EQ(read.included, expected) << "round " << round << (reversed ? ", reversed" : "");
      jumped += rows.size() - read.visited;
      std::ranges::reverse(expected);
    }
  }
  EXPECT_GT(jumped, 400'000u);  // All reads together have 1,500,000 rows.
}

TEST(FuzzyRowFilter, ShorterRowsAreSeenAsInHBase) {
  // This case is from a comparison with HBase 2.6.4. The first row makes the read jump over "a".
  const std::vector<FuzzyKey> keys = {{.key = "ba", .mask = "\0\0"s}, {.key = "a\0c"s, .mask = "\0\1\0"s}};
  std::vector<Bytes> rows = {"0", "a", "a\0"s, "a\2", "abc", "abc\0"s, "abc\1", "ba", "ba\1", "ba\4"};
  EXPECT_EQ(ReadThrough(*MakeFuzzyRowFilter(keys, true), rows, false).included,
            (std::vector<Bytes>{"a\2", "abc", "abc\0"s, "abc\1", "ba", "ba\1", "ba\4"}));
  rows.erase(rows.begin());
  EXPECT_EQ(ReadThrough(*MakeFuzzyRowFilter(keys, true), rows, false).included, rows);
}

TEST(FuzzyRowFilter, EndsAReadThatCanFindNoMore) {
  const FilterPtr filter = MakeFuzzyRowFilter({{.key = "b", .mask = "\0"s}}, true);
  const Read read = ReadThrough(*filter, {"a1", "a2", "b1", "b2", "c1", "c2"}, false);
  EXPECT_EQ(read.included, (std::vector<Bytes>{"b1", "b2"}));
  EXPECT_EQ(read.visited, 4u);
}

}  // namespace
}  // namespace widerow::hbase
