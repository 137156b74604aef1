// Tests heat maps: slices of time, shapes, texts, and whole maps under load. heat_parts_test.cc tests the parts of a
// map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "exec/engine/engine.h"
#include "exec/heat/heat_map.h"
#include "exec/heat/heat_picture.h"
#include "exec/load/operation_sampler.h"
#include "storage/count/partition_sizes.h"
#include "storage/format/key_codec.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

Bytes KeyOf(uint32_t number) {
  Bytes key;
  AppendBigEndian(key, number);
  return key;
}

uint64_t WritesOf(const std::vector<HeatCell>& cells) {
  return std::accumulate(cells.begin(), cells.end(), uint64_t{0},
                         [](uint64_t sum, const HeatCell& cell) { return sum + cell.writes; });
}

HeatSlice SliceAt(int64_t seconds, const KeyAxisPtr& axis, uint64_t writes) {
  const std::vector<HeatCell> cells = {{.writes = writes}};
  return {.begin_seconds = seconds,
          .seconds = 10,
          .axis = axis,
          .by_key = EncodeCells(cells),
          .by_token = EncodeCells(cells)};
}

TEST(HeatHistory, RingsAreBoundedAndForgetNothingBeforeTheLast) {
  HeatHistory history;
  const auto axis = std::make_shared<const KeyAxis>(history.NextAxisId(), std::vector<Bytes>{""});
  // The number of slices of ten seconds in three days.
  constexpr int64_t kSlices = 6 * 60 * 24 * 3;
  for (int64_t i = 0; i < kSlices; ++i) history.Add(SliceAt(1'700'000'000 + 10 * i, axis, 1));
  uint64_t writes = 0;
  int64_t begin = 0;
  for (const HeatSlice& slice : history.Slices()) {
    std::vector<HeatCell> cells(1);
    ASSERT_TRUE(AddEncodedCells(slice.by_key, cells));
    writes += cells[0].writes;
    EXPECT_GE(slice.begin_seconds, begin) << "oldest first";
    begin = slice.begin_seconds;
  }
  EXPECT_EQ(writes, static_cast<uint64_t>(kSlices));
  size_t most = 0;
  for (const HeatHistory::Ring& ring : HeatHistory::kRings) most += ring.slices;
  EXPECT_LE(history.Slices().size(), most);
  EXPECT_LE(history.bytes(), HeatHistory::kBytesMax);
}

TEST(HeatHistory, NotesBringItBack) {
  HeatHistory history;
  const auto axis = std::make_shared<const KeyAxis>(history.NextAxisId(), std::vector<Bytes>{"", "k"});
  std::map<Bytes, Bytes> stored;
  const auto store = [&] {
    for (const StorageNote& note : history.TakeChanges("p")) {
      if (note.value)
        stored[note.key] = *note.value;
      else
        stored.erase(note.key);
    }
  };
  for (int64_t i = 0; i < 500; ++i) {
    history.Add(SliceAt(1'700'000'000 + 10 * i, axis, 2));
    if (i % 50 == 0) store();
  }
  store();
  std::vector<StorageNote> notes;
  for (const auto& [key, value] : stored) notes.push_back({key, value});
  HeatHistory again;
  again.Load("p", notes);
  ASSERT_EQ(again.Slices().size(), history.Slices().size());
  for (size_t i = 0; i < again.Slices().size(); ++i) {
    EXPECT_EQ(again.Slices()[i].begin_seconds, history.Slices()[i].begin_seconds);
    EXPECT_EQ(again.Slices()[i].by_key, history.Slices()[i].by_key);
  }
  EXPECT_GT(again.NextAxisId(), axis->id());
  for (StorageNote& note : notes) note.value->resize(note.value->size() / 2);
  HeatHistory damaged;
  damaged.Load("p", notes);
  EXPECT_TRUE(damaged.Slices().empty());
}

TEST(OperationSampler, AllAreSeenWhileTheyAreFewAndOneOfEachGroupLater) {
  ManualClock clock(1'700'000'000'000'000);
  OperationSampler sampler(clock);
  uint64_t seen = 0, stands_for = 0;
  const auto run = [&](uint32_t statements) {
    seen = stands_for = 0;
    for (uint32_t i = 0; i < statements; ++i) {
      const uint32_t taken = sampler.Take();
      seen += taken == 0 ? 0 : 1;
      stands_for += taken;
    }
  };
  for (int second = 0; second < 2; ++second) {
    run(OperationSampler::kEachPerSecond);
    EXPECT_EQ(seen, OperationSampler::kEachPerSecond);
    EXPECT_EQ(stands_for, OperationSampler::kEachPerSecond);
    clock.Set(clock.NowMicros() + 1'000'000);
  }
  EXPECT_EQ(sampler.skipped(), 0u);
  run(OperationSampler::kEachPerSecond);
  for (int group = 0; group < 1'000; ++group) {
    run(OperationSampler::kGroup);
    EXPECT_EQ(seen, 1u);
    EXPECT_EQ(stands_for, OperationSampler::kGroup);
  }
  EXPECT_EQ(sampler.skipped(), 1'000u * (OperationSampler::kGroup - 1));
  run(1);
  EXPECT_EQ(sampler.skipped(), 1'001u * (OperationSampler::kGroup - 1)) << "a group that has begun counts as a whole";
}

// A fold that fails is repeated. The sizes of partitions must not be counted twice.
TEST(PartitionSizes, AFailedTransactionCountsNothing) {
  PartitionSizes sizes;
  Bytes prefix, other;
  AppendPartitionPrefix(9, "k", prefix);
  AppendPartitionPrefix(9, "other", other);
  const auto rows = [&] {
    const auto largest = sizes.Largest(9);
    return largest.empty() ? 0 : largest[0].rows;
  };
  for (int attempt = 0; attempt < 3; ++attempt) {
    sizes.Begin();
    sizes.Add(prefix, 10, 100'000);
    sizes.Add(other, 1, 50'000);
    EXPECT_EQ(rows(), 10);
    if (attempt < 2) sizes.RollBack();
    EXPECT_EQ(rows(), attempt < 2 ? 0 : 10);
  }
  sizes.Begin();
  sizes.Forget(prefix);
  EXPECT_EQ(rows(), 1);
  sizes.RollBack();
  EXPECT_EQ(rows(), 10);
}

TEST(PartitionSizes, LargeOnesAreNoticedAmongManySmallOnes) {
  PartitionSizes sizes;
  const auto prefix_of = [](uint32_t number) {
    Bytes prefix;
    AppendPartitionPrefix(9, KeyOf(number), prefix);
    return prefix;
  };
  for (uint32_t round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < 5'000; ++i) sizes.Add(prefix_of(i), 1, 100);
    sizes.Add(prefix_of(1'000'000), 1'000, 100'000);
  }
  const std::vector<PartitionSizes::Size> largest = sizes.Largest(9);
  ASSERT_FALSE(largest.empty());
  EXPECT_LE(largest.size(), PartitionSizes::kHeldMax);
  EXPECT_EQ(largest[0].prefix, prefix_of(1'000'000));
  EXPECT_EQ(largest[0].bytes, 2'000'000);
  EXPECT_EQ(largest[0].rows, 20'000);

  const LiveTables live = {{9, nullptr}};
  const std::map<StorageId, Bytes> changes = sizes.TakeChanges(live);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(sizes.TakeChanges(live).empty());
  PartitionSizes again;
  again.Load(9, changes.at(9));
  EXPECT_EQ(again.Largest(9)[0].bytes, 2'000'000);
  again.Forget(prefix_of(1'000'000));
  EXPECT_NE(again.Largest(9)[0].prefix, prefix_of(1'000'000));
  again.Add(again.Largest(9)[0].prefix, -1, -1'000'000'000);
  EXPECT_TRUE(again.TakeChanges({}).empty()) << "the table is gone";
  EXPECT_TRUE(again.Largest(9).empty());
}

HeatPicture PictureOf(const std::vector<std::vector<uint64_t>>& writes_of_columns) {
  HeatPicture picture;
  picture.firsts.resize(writes_of_columns[0].size());
  picture.distinct_keys = picture.firsts.size();
  int64_t begin = 1'700'000'000;
  for (const std::vector<uint64_t>& writes : writes_of_columns) {
    HeatPicture::Column& column = picture.columns.emplace_back();
    column.begin_seconds = begin;
    column.seconds = 10;
    begin += 10;
    for (const uint64_t number : writes) {
      column.cells.push_back({.writes = number});
      column.all.writes += number;
    }
  }
  return picture;
}

std::string ShapeOfWrites(const HeatPicture& picture) { return HeatShapesOf(picture)[1].name; }

TEST(HeatShape, EachHasItsWord) {
  constexpr size_t kRanges = 32;
  const std::vector<uint64_t> none(kRanges), all(kRanges, 10);
  EXPECT_EQ(ShapeOfWrites(PictureOf({none, none})), "none");
  EXPECT_EQ(ShapeOfWrites(PictureOf({all, all})), "even");
  std::vector<uint64_t> one = all;
  one[5] = 5'000;
  EXPECT_EQ(ShapeOfWrites(PictureOf({one, one})), "hot keys");
  EXPECT_EQ(ShapeOfWrites(PictureOf({all, none, all, none, all, none})), "bands");
  std::vector<std::vector<uint64_t>> moving(kRanges, none);
  for (size_t i = 0; i < kRanges; ++i) moving[i][i] = 10;
  EXPECT_EQ(ShapeOfWrites(PictureOf(moving)), "scan");
  HeatPicture growing = PictureOf({all, all});
  for (HeatPicture::Column& column : growing.columns) column.appended = 300;
  EXPECT_EQ(ShapeOfWrites(growing), "sequential");
  EXPECT_EQ(ShapeOfWrites(PictureOf({{30, 30}})), "few keys");
  EXPECT_EQ(ShapeOfWrites(PictureOf({std::vector<uint64_t>(kRanges, 0),
                                     [] {
                                       std::vector<uint64_t> few(kRanges);
                                       few[0] = 3;
                                       return few;
                                     }()})),
            "few");
}

// A shop has twelve busy hours a day for twenty days. The slices of the last day are short. The busy hours must not be
// reported as a periodic job.
TEST(HeatShape, NightsMakeNoBursts) {
  HeatPicture days;
  days.firsts.resize(32);
  days.distinct_keys = 32;
  const auto add = [&](int64_t begin, int32_t seconds, uint64_t writes) {
    std::vector<HeatCell> cells(32, {.writes = writes});
    days.columns.push_back(
        {.begin_seconds = begin, .seconds = seconds, .all = {.writes = 32 * writes}, .cells = std::move(cells)});
  };
  constexpr int64_t kDay = 86'400, kHour = 3'600, kBegin = 19'675 * kDay;
  for (int64_t day = 0; day < 20; ++day) {
    for (const int64_t hour : {4, 8, 12, 16, 20}) {
      add(kBegin + day * kDay + hour * kHour, 14'400, hour % 16 == 4 ? 80 : 1'000);
    }
  }
  for (int64_t second = 0; second < 14 * kHour; second += 10) {
    add(kBegin + 20 * kDay + 7 * kHour + second, 10, 1 + second / 10 % 2);
  }
  EXPECT_EQ(ShapeOfWrites(days), "even");
  // A job that runs every night is periodic, however short the newest slices are.
  std::erase_if(days.columns, [&](const HeatPicture::Column& column) {
    return (column.begin_seconds - kBegin) % kDay / kHour / 4 != 2;
  });
  EXPECT_EQ(ShapeOfWrites(days), "bands");
}

// Order numbers rise for twenty days. The last day has many short slices. The shape must still be found.
TEST(HeatShape, KeysThatFollowTimeAreToldInLongHistories) {
  constexpr size_t kDays = 20;
  HeatPicture picture;
  picture.firsts.resize(kDays);
  picture.distinct_keys = kDays;
  for (size_t day = 0; day < kDays; ++day) {
    const bool is_last = day + 1 == kDays;
    for (int64_t second = 0; second < 57'600; second += is_last ? 60 : 14'400) {
      HeatPicture::Column& column = picture.columns.emplace_back();
      column.begin_seconds = static_cast<int64_t>(19'675 + day) * 86'400 + second;
      column.seconds = is_last ? 60 : 14'400;
      column.cells.resize(kDays);
      column.cells[day].writes = column.all.writes = is_last ? 10 : 2'400;
    }
  }
  const HeatShape shape = HeatShapesOf(picture)[1];
  EXPECT_EQ(shape.name, "scan");
  EXPECT_EQ(shape.words, "writes moved through the keys in ascending order: keys that follow time");
}

// First, 37 of 256 token ranges have writes: there are few partitions. Then all 256 ranges have writes, and one range
// has a tenth of them: there is a large partition. A range with 4 % of the writes is not reported.
TEST(HeatShape, FewPartitionsAndLargeOnesAreToldInTokenOrder) {
  std::vector<uint64_t> sellers(256);
  for (size_t i = 0; i < 37; ++i) sellers[i * 6] = 2'000 / (i + 2);
  HeatPicture picture = PictureOf({sellers, sellers});
  picture.axis = HeatAxis::kToken;
  const HeatShape few = HeatShapesOf(picture)[1];
  EXPECT_EQ(few.name, "few keys");
  EXPECT_EQ(few.words, "writes fall on 37 of 256 token ranges, the busiest takes 16 %: few partition keys");
  std::vector<uint64_t> one(256, 100);
  one[99] = 3'000;
  EXPECT_EQ(ShapeOfWrites(PictureOf({one, one})), "hot keys");
  one[99] = 1'000;
  EXPECT_EQ(ShapeOfWrites(PictureOf({one, one})), "even");
}

TEST(HeatText, TheGreatestIsNamed) {
  const std::vector<std::string> lines = DrawHeat(PictureOf({{0, 1'000}, {10, 0}}), {.metric = HeatMetric::kWrites});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0], testing::HasSubstr("| .|"));
  EXPECT_THAT(lines[1], testing::HasSubstr("|@ |"));
  EXPECT_EQ(lines[3], "@ is 1,000 writes; 1,010 in all");
}

TablePtr TableNumbered(StorageId number) {
  auto schema = std::make_shared<TableSchema>();
  schema->keyspace = "ks";
  schema->name = "t" + std::to_string(number);
  schema->storage_id = number;
  schema->id = Uuid::Random();
  schema->columns.push_back({.name = "k", .kind = ColumnKind::kPartitionKey, .type = ScalarType(TypeKind::kInt)});
  schema->partition_key_size = 1;
  return schema;
}

// No counts are lost if the disk or the data file is full: the next call of Store stores what the failed call could
// not.
TEST(HeatMap, WhatCannotBeStoredIsStoredLater) {
  ScratchDirectory directory;
  auto storage = OpenLmdbEngine({.directory = directory.path(), .map_bytes = uint64_t{4} << 20}).value();
  size_t fillers = 0;
  const auto filler = [](size_t number, std::optional<Bytes> value) {
    return std::vector<StorageNote>{{"filler" + std::to_string(number), std::move(value)}};
  };
  while (fillers < 1'000 && storage->WriteNotes(filler(fillers, Bytes(20'000, 'x'))).ok()) ++fillers;
  ASSERT_LT(fillers, 1'000u);
  std::vector<TablePtr> tables;
  for (StorageId number = 1; number <= 200; ++number) tables.push_back(TableNumbered(number));
  constexpr uint32_t kRows = 200;
  {
    HeatMap heat(*storage, [] { return 0; });
    for (const TablePtr& table : tables) {
      PartitionMutation write{.table = table};
      write.rows.resize(1);
      for (uint32_t i = 0; i < kRows; ++i) {
        write.partition_key = KeyOf(i);
        heat.CountWrites(write);
      }
    }
    EXPECT_FALSE(heat.Store().ok());
    for (size_t number = 0; number < fillers; ++number) ASSERT_TRUE(storage->WriteNotes(filler(number, {})).ok());
    EXPECT_TRUE(heat.Store().ok());
  }
  HeatMap again(*storage, [] { return 0; });
  for (const TablePtr& table : tables) {
    const HeatPicture picture = MakeHeatPicture(*table, again.Snapshot(*table), HeatAxis::kKey, 0);
    EXPECT_EQ(WritesOf(picture.ByRange()), kRows);
  }
}

// A scan of many partitions reports only some of them, which stand for the others. It still counts as one read of each
// partition.
TEST(HeatMap, AScanReadsEachPartitionOnce) {
  ScratchDirectory directory;
  auto storage = OpenLmdbEngine({.directory = directory.path(), .map_bytes = uint64_t{1} << 30}).value();
  const TablePtr table = TableNumbered(1);
  constexpr uint64_t kPartitions = 5'000, kScans = 200, kAlone = 50;
  HeatMap heat(*storage, [] { return 0; });
  TouchedPartitions scan, alone;
  for (uint32_t i = 0; i < kPartitions; ++i) scan.Add(table, KeyOf(i), {}, 1, 10);
  ASSERT_GT(scan.stride(), 1u);
  alone.Add(table, KeyOf(7), {}, 1, 10);
  for (uint64_t i = 0; i < kScans; ++i) heat.RecordRead(scan, 1, 100);
  for (uint64_t i = 0; i < kAlone; ++i) heat.RecordRead(alone, 1, 100);
  const HeatSnapshot snapshot = heat.Snapshot(*table);
  EXPECT_EQ(snapshot.busy_operations, kPartitions * kScans + kAlone);
  ASSERT_FALSE(snapshot.busy.empty());
  for (const BusyPartition& busy : snapshot.busy) {
    const uint64_t truth = kScans + (busy.key == KeyOf(7) ? kAlone : 0);
    EXPECT_LE(busy.done.reads, truth);
    EXPECT_GE(busy.done.reads + busy.ReadsError(0), truth);
    EXPECT_LE(busy.ReadsError(0), kScans);
  }
  uint64_t reads = 0;
  const HeatPicture picture = MakeHeatPicture(*table, snapshot, HeatAxis::kKey, 0);
  for (const HeatCell& cell : picture.ByRange()) reads += cell.reads;
  EXPECT_NEAR(static_cast<double>(reads), kPartitions * kScans + kAlone, kScans * scan.stride());
}

// Several threads record operations, read the map and store it at the same time. No operation may be lost.
TEST(HeatMapConcurrency, EveryOperationIsCounted) {
  ScratchDirectory directory;
  auto storage = OpenLmdbEngine({.directory = directory.path(), .map_bytes = uint64_t{1} << 34}).value();
  const TablePtr table = TableNumbered(1);
  constexpr uint32_t kThreads = 4, kEach = 3'000;
  {
    HeatMap heat(*storage, [] { return 0; });
    std::vector<std::jthread> threads;
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (uint32_t i = 0; i < kEach; ++i) {
          PartitionMutation write{.table = table, .partition_key = KeyOf(i * kThreads + thread)};
          write.rows.resize(2);
          heat.CountWrites(write);
          if (i % 500 == 0) (void)heat.Snapshot(*table);
          if (i % 1'000 == 0) { EXPECT_TRUE(heat.Store().ok()); }
        }
      });
    }
    threads.clear();
  }
  HeatMap again(*storage, [] { return 0; });
  const HeatPicture picture = MakeHeatPicture(*table, again.Snapshot(*table), HeatAxis::kKey, 0);
  EXPECT_EQ(WritesOf(picture.ByRange()), 2u * kThreads * kEach);
}

}  // namespace
}  // namespace widerow
