// Tests the parts of a heat map: key ranges, samples of keys, and the list of busy partitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "exec/heat/busy_partitions.h"
#include "exec/heat/counted_ranges.h"

namespace widerow {
namespace {

using ::testing::ElementsAre;

Bytes KeyNumber(uint32_t number) {
  Bytes key;
  AppendBigEndian(key, number);
  return key;
}

uint64_t SumOfWrites(const std::vector<HeatCell>& cells) {
  return std::accumulate(cells.begin(), cells.end(), uint64_t{0},
                         [](uint64_t sum, const HeatCell& cell) { return sum + cell.writes; });
}

TEST(KeyAxis, CellsMoveToTheRangesOfTheirKeys) {
  const KeyAxis coarse(1, {"", "m"}), fine(2, {"", "c", "f", "m", "p"});
  const std::vector<HeatCell> cells = {{.writes = 7}, {.writes = 4, .bytes = 9}};
  std::vector<HeatCell> out(fine.size());
  // The keys that were seen are between d and o. So the ranges before d and after o get nothing.
  Project({coarse, cells, "d", "o"}, fine, out);
  // The seven writes are divided among two ranges. Each of these may have had none of the writes or all of them.
  EXPECT_THAT(out,
              ElementsAre(HeatCell(), HeatCell{.writes = 3, .writes_guessed = 4},
                          HeatCell{.writes = 4, .writes_guessed = 4}, HeatCell{.writes = 4, .bytes = 9}, HeatCell()));
  std::vector<HeatCell> back(coarse.size());
  Project({fine, out, "d", "o"}, coarse, back);
  EXPECT_EQ(SumOfWrites(back), 11u);
  EXPECT_EQ(back[1], cells[1]);
}

TEST(KeyAxis, CommonRangesDivideNoCell) {
  const KeyAxis one(1, {"", "c", "m"}), other(2, {"", "e", "f", "m", "x"});
  const std::vector<HeatCell> of_one = {{}, {.writes = 5}, {.writes = 1}};
  const std::vector<HeatCell> of_other = {{.writes = 2}, {.writes = 1}, {.writes = 1}, {.writes = 1}, {.writes = 1}};
  // In `one`, the five writes had keys from e to m. A common range may begin at e. It may not begin at f, because the
  // five writes may be on both sides of f. In `other`, the two writes may be on both sides of c.
  EXPECT_THAT(CommonRanges({one, of_one, "e", "p"}, {other, of_other, "a", "z"}), ElementsAre("", "e", "m", "x"));
  EXPECT_THAT(CommonRanges({one, of_one, "d", "y"}, {other, of_other, "a", "z"}), ElementsAre("", "m"));
}

TEST(KeyAxis, CommonRangesAreNotTooMany) {
  std::vector<Bytes> even{Bytes()}, odd{Bytes()};
  for (uint32_t i = 1; i < kHeatBuckets; ++i) {
    even.push_back(KeyNumber(2 * i));
    odd.push_back(KeyNumber(2 * i + 1));
  }
  const KeyAxis one(1, even), other(2, odd);
  std::vector<HeatCell> first(kHeatBuckets), second(kHeatBuckets);
  first[7].writes = 100;  // All 100 writes had the key 14.
  const Bytes key = KeyNumber(14);
  const std::vector<Bytes> firsts = CommonRanges({one, first, key, key}, {other, second, key, key});
  EXPECT_EQ(firsts.size(), kHeatBuckets);
  EXPECT_THAT(firsts, testing::Contains(KeyNumber(14)));
}

TEST(KeyAxis, EncodedCellsComeBackAndDamagedOnesDoNot) {
  std::vector<HeatCell> cells(kHeatBuckets);
  cells[0] = {.reads = 1};
  cells[200] = {.reads = 1, .writes = uint64_t{1} << 40, .bytes = 3, .micros = 4};
  cells[255] = {.micros = 1};
  const Bytes encoded = EncodeCells(cells);
  EXPECT_LT(encoded.size(), 40u);
  std::vector<HeatCell> back(kHeatBuckets);
  EXPECT_TRUE(AddEncodedCells(encoded, back));
  EXPECT_EQ(back, cells);
  EXPECT_FALSE(AddEncodedCells(ByteView(encoded).substr(0, encoded.size() - 1), back));
  std::vector<HeatCell> few(200);
  EXPECT_FALSE(AddEncodedCells(encoded, few));
}

TEST(KeySample, KeysAreEstimated) {
  KeySample sample;
  for (uint32_t i = 0; i < 1'000; ++i) sample.Add(KeyNumber(i));
  EXPECT_EQ(sample.distinct(), 1'000u);
  for (uint32_t round = 0; round < 2; ++round) {  // The second round adds the same keys again, which changes nothing.
    for (uint32_t i = 0; i < 50'000; ++i) sample.Add(KeyNumber(i));
  }
  EXPECT_NEAR(static_cast<double>(sample.distinct()), 50'000, 10'000);
  EXPECT_EQ(sample.keys().size(), KeySample::kKeysMax);
}

// Adds keys in the order that `place_of` defines, in slices of 10,000 keys. Compares the counts with the true ones.
template <typename PlaceOf>
void ExpectExactRanges(const PlaceOf& place_of) {
  constexpr uint32_t kKeys = 50'000, kSlice = 10'000;
  KeySample sample;
  CountedRanges ranges({Bytes()});
  for (uint32_t begin = 0; begin < kKeys; begin += kSlice) {
    std::vector<Bytes> keys;
    for (uint32_t i = begin; i < begin + kSlice; ++i) {
      keys.push_back(KeyNumber(place_of(i)));
      sample.Add(keys.back());
      ranges.Add(keys.back(), {.writes = 1}, sample);
    }
    const KeyAxis axis(1, ranges.firsts());
    ASSERT_LE(axis.size(), kHeatBuckets);
    std::vector<HeatCell> written(axis.size());
    for (const Bytes& key : keys) ++written[axis.BucketOf(key)].writes;
    EXPECT_EQ(ranges.cells(), written);
    ranges.Clear(sample);
  }
  std::vector<size_t> keys(ranges.firsts().size());
  const KeyAxis axis(1, ranges.firsts());
  for (uint32_t i = 0; i < kKeys; ++i) ++keys[axis.BucketOf(KeyNumber(i))];
  EXPECT_LT(*std::max_element(keys.begin(), keys.end()), kKeys / 24) << "the ranges follow the keys";
}

TEST(CountedRanges, CountsAreExactInEveryOrder) {
  ExpectExactRanges([](uint32_t i) { return i; });
  ExpectExactRanges([](uint32_t i) { return 49'999 - i; });
  ExpectExactRanges([](uint32_t i) { return i * 7'919 % 50'000; });
  ExpectExactRanges([](uint32_t i) { return i % 2 == 0 ? i / 2 : 49'999 - i / 2; });
  ExpectExactRanges([](uint32_t i) { return i % 50 * 1'000 + i / 50; });
}

TEST(CountedRanges, FewKeysHaveARangeEach) {
  KeySample sample;
  CountedRanges ranges({Bytes()});
  for (const char* key : {"m", "c", "m", "x", "a", "c"}) {
    sample.Add(key);
    ranges.Add(key, {.writes = 1}, sample);
  }
  EXPECT_THAT(ranges.firsts(), ElementsAre("", "c", "m", "x"));
  EXPECT_THAT(ranges.cells(),
              ElementsAre(HeatCell{.writes = 1}, HeatCell{.writes = 2}, HeatCell{.writes = 2}, HeatCell{.writes = 1}));
}

TEST(BusyPartitions, TheBusiestAreFoundAmongVeryMany) {
  BusyPartitions busy, later;
  uint64_t random = 1;
  for (int i = 0; i < 100'000; ++i) {
    random = random * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    const uint64_t hash = i % 10 == 0 ? 7 : random;
    (i < 50'000 ? busy : later).Add(hash, hash == 7 ? "seven" : "other", {.writes = 1});
  }
  busy.Add(later);
  const std::vector<BusyPartition> list = busy.List();
  ASSERT_EQ(list.size(), BusyPartitions::kKeptMax);
  EXPECT_EQ(list[0].key, "seven");
  EXPECT_LE(list[0].done.writes, 10'000u);
  EXPECT_GE(list[0].done.writes + list[0].WritesError(), 10'000u);
  EXPECT_LT(list[0].WritesError(), 200u);
  EXPECT_EQ(busy.operations(), 100'000u);
}

}  // namespace
}  // namespace widerow
