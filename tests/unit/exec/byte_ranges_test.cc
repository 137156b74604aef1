#include "exec/bind/byte_ranges.h"

#include <gtest/gtest.h>

#include <random>

#include "exec/bind/bind.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int kValues = 4;

TableSchema ThreeInts(const std::vector<bool>& descending) {
  TableSchema table;
  table.keyspace = "ks";
  table.name = "t";
  table.partition_key_size = 1;
  table.clustering_size = static_cast<uint32_t>(descending.size());
  table.columns.push_back({.name = "k", .kind = ColumnKind::kPartitionKey, .type = ScalarType(TypeKind::kInt)});
  for (uint32_t i = 0; i < descending.size(); ++i) {
    table.columns.push_back({.name = "c" + std::to_string(i),
                             .id = i + 1,
                             .kind = ColumnKind::kClustering,
                             .position = i,
                             .type = ScalarType(TypeKind::kInt),
                             .descending = descending[i]});
  }
  return table;
}

Bytes IntBytes(int value) { return EncodeInteger(TypeKind::kInt, value); }

Bytes Encode(const TableSchema& table, const std::vector<int>& row) {
  std::vector<Bytes> values;
  for (const int value : row) values.push_back(IntBytes(value));
  return EncodeClustering(table, values);
}

bool Holds(const std::vector<ClusteringRange>& ranges, const Bytes& key) {
  for (const ClusteringRange& range : ranges) {
    if (key >= range.begin && (!range.end || key < *range.end)) return true;
  }
  return false;
}

// Compares the columns of the row, from column bound.first on, with the values of the bound. Returns -1, 0 or 1.
int CompareRow(const std::vector<int>& row, const BoundValues& bound) {
  for (size_t i = 0; i < bound.values.size(); ++i) {
    const auto value = static_cast<int>(DecodeInteger(bound.values[i]));
    if (row[bound.first + i] != value) return row[bound.first + i] < value ? -1 : 1;
  }
  return 0;
}

BoundValues RandomBound(std::mt19937& random, uint32_t first, uint32_t columns) {
  BoundValues bound{.first = first, .inclusive = random() % 2 == 0};
  const uint32_t width = 1 + random() % (columns - first);
  for (uint32_t i = 0; i < width; ++i) bound.values.push_back(IntBytes(static_cast<int>(random() % kValues)));
  return bound;
}

// Compares each row of a small cube of rows with each kind of bound, for all combinations of ascending and descending
// columns.
TEST(ByteRangesTest, RangesHoldJustTheRowsBetweenTheBounds) {
  std::mt19937 random(20240611);
  for (int directions = 0; directions < 8; ++directions) {
    const TableSchema table = ThreeInts({(directions & 1) != 0, (directions & 2) != 0, (directions & 4) != 0});
    for (int round = 0; round < 300; ++round) {
      const uint32_t fixed = random() % 3;
      std::vector<int> prefix_values;
      for (uint32_t i = 0; i < fixed; ++i) prefix_values.push_back(static_cast<int>(random() % kValues));
      std::optional<BoundValues> lower, upper;
      if (random() % 4 != 0) lower = RandomBound(random, fixed, 3);
      if (random() % 4 != 0) upper = RandomBound(random, fixed, 3);
      std::vector<ClusteringRange> ranges;
      AppendSliceRanges(table, Encode(table, prefix_values), lower, upper, ranges);
      for (size_t i = 1; i < ranges.size(); ++i) {
        ASSERT_TRUE(ranges[i - 1].end && *ranges[i - 1].end < ranges[i].begin) << "ascending, apart and not touching";
      }
      for (int n = 0; n < kValues * kValues * kValues; ++n) {
        const std::vector<int> row{n / (kValues * kValues), n / kValues % kValues, n % kValues};
        bool expected = std::equal(prefix_values.begin(), prefix_values.end(), row.begin());
        if (lower)
          expected = expected && (CompareRow(row, *lower) > 0 || (lower->inclusive && CompareRow(row, *lower) == 0));
        if (upper)
          expected = expected && (CompareRow(row, *upper) < 0 || (upper->inclusive && CompareRow(row, *upper) == 0));
        ASSERT_EQ(Holds(ranges, Encode(table, row)), expected)
            << "directions " << directions << " row " << row[0] << row[1] << row[2];
      }
    }
  }
}

TEST(ByteRangesTest, SameDirectionGivesOneRange) {
  const TableSchema table = ThreeInts({true, true, true});
  const BoundValues lower{.first = 0, .values = {IntBytes(1), IntBytes(2)}, .inclusive = false};
  const BoundValues upper{.first = 0, .values = {IntBytes(3), IntBytes(0)}, .inclusive = true};
  std::vector<ClusteringRange> ranges;
  AppendSliceRanges(table, {}, lower, upper, ranges);
  EXPECT_EQ(ranges.size(), 1u);
}

TEST(ByteRangesTest, ReversedSliceIsEmpty) {
  const TableSchema table = ThreeInts({false, false, false});
  const BoundValues lower{.first = 0, .values = {IntBytes(3)}, .inclusive = true};
  const BoundValues upper{.first = 0, .values = {IntBytes(1)}, .inclusive = true};
  std::vector<ClusteringRange> ranges;
  AppendSliceRanges(table, {}, lower, upper, ranges);
  EXPECT_TRUE(ranges.empty());
}

}  // namespace
}  // namespace widerow
