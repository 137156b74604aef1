// Tests the memtable without an engine: order of keys, versions, undo, and readers beside the writer. ThreadSanitizer
// runs the tests with "Concurrency" in their names.
#include "storage/memtable/memtable.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

namespace widerow {
namespace {

Bytes RandomKey(std::mt19937& random) {
  // Most keys are short and made of few letters, so they repeat and are prefixes of each other. Some are long.
  Bytes key(1 + random() % 3, static_cast<char>('a' + random() % 3));
  key.back() = static_cast<char>(random() % 4);
  return random() % 20 == 0 ? key + Bytes(700, 'x') : key;
}

std::string RecordAt(const Memtable::Node* node, uint64_t sequence) {
  const Memtable::Version* version = node == nullptr ? nullptr : node->VersionAt(sequence);
  return version == nullptr ? "none" : std::string(version->record());
}

TEST(MemtableTest, FindsAndOrdersWhatAMapDoes) {
  std::mt19937 random(5);
  Memtable memtable;
  std::map<Bytes, Bytes> model;
  EXPECT_TRUE(memtable.empty());
  for (uint64_t sequence = 1; sequence <= 3'000; ++sequence) {
    const Bytes key = RandomKey(random), record = std::to_string(sequence);
    memtable.Push(memtable.FindOrInsert(key), sequence, record);
    model[key] = record;
    const Bytes wanted = RandomKey(random);
    const auto after = model.lower_bound(wanted);
    const Memtable::Node* at_or_after = memtable.SeekAtOrAfter(wanted);
    ASSERT_EQ(at_or_after == nullptr ? "end" : Bytes(at_or_after->key()), after == model.end() ? "end" : after->first);
    const Memtable::Node* before = memtable.SeekBefore(wanted);
    ASSERT_EQ(before == nullptr ? "end" : Bytes(before->key()),
              after == model.begin() ? "end" : std::prev(after)->first);
    ASSERT_EQ(memtable.Find(wanted) != nullptr, model.contains(wanted));
  }
  const Memtable::Node* node = memtable.first();
  const Memtable::Node* last = nullptr;
  for (const auto& [key, record] : model) {
    ASSERT_EQ(node->key(), key);
    ASSERT_EQ(RecordAt(node, ~uint64_t{0}), record);
    ASSERT_EQ(node->previous(), last);
    last = node;
    node = node->next();
  }
  EXPECT_EQ(node, nullptr);
  EXPECT_GT(memtable.bytes(), 3'000u * 16);
}

TEST(MemtableTest, ALoadPutsKeysInOrder) {
  std::mt19937 random(7);
  Memtable memtable;
  std::map<Bytes, Bytes> model;
  memtable.BeginLoad();
  const auto write = [&](uint64_t sequence) {
    const Bytes key = RandomKey(random), record = std::to_string(sequence);
    memtable.Push(memtable.FindOrInsert(key), sequence, record);
    model[key] = record;
  };
  for (uint64_t sequence = 1; sequence <= 2'000; ++sequence) write(sequence);
  memtable.EndLoad();
  for (uint64_t sequence = 2'001; sequence <= 3'000; ++sequence) write(sequence);
  const Memtable::Node* node = memtable.first();
  const Memtable::Node* last = nullptr;
  for (const auto& [key, record] : model) {
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->key(), key);
    EXPECT_EQ(RecordAt(node, 3'000), record);
    EXPECT_EQ(node->previous(), last);
    EXPECT_EQ(memtable.Find(key), node);
    EXPECT_EQ(memtable.SeekAtOrAfter(key), node);
    EXPECT_EQ(memtable.SeekBefore(key), last);
    last = std::exchange(node, node->next());
  }
  EXPECT_EQ(node, nullptr);
}

TEST(MemtableTest, AnExpectedNumberOfKeysIsNoLimitAndTakesNoMemory) {
  Memtable memtable(100'000);
  EXPECT_EQ(memtable.bytes(), 0u);
  for (uint64_t i = 0; i < 200'000; ++i) memtable.FindOrInsert(std::to_string(i));
  EXPECT_EQ(memtable.nodes(), 200'000u);
  for (uint64_t i = 0; i < 200'000; ++i) ASSERT_NE(memtable.Find(std::to_string(i)), nullptr);
  EXPECT_EQ(memtable.Find("200000"), nullptr);
}

TEST(MemtableTest, EachReaderSeesItsVersion) {
  Memtable memtable;
  Memtable::Node* node = memtable.FindOrInsert("k");
  EXPECT_EQ(RecordAt(node, 9), "none");
  memtable.Push(node, 5, "five");
  memtable.Push(node, 8, "eight");
  EXPECT_EQ(RecordAt(node, 4), "none");
  EXPECT_EQ(RecordAt(node, 7), "five");
  EXPECT_EQ(RecordAt(node, 8), "eight");
  memtable.Push(node, 9, "first half");
  memtable.Push(node, 9, "whole");
  EXPECT_EQ(RecordAt(node, 9), "whole");
  memtable.Pop(node, 9);
  EXPECT_EQ(RecordAt(node, 9), "eight");
  memtable.Pop(node, 9);
  EXPECT_EQ(RecordAt(node, 9), "eight") << "nothing of 9 is left to take back";
}

TEST(MemtableTest, TombstonesHaveVersionsToo) {
  Memtable memtable;
  Bytes header = "prefix";
  AppendKind(RecordKind::kHeader, header);
  PartitionTombstones tombstones;
  tombstones.Add(RangeTombstone{"b", "d", {10, 1}});
  EXPECT_EQ(memtable.TombstonesAt(header, 9), nullptr);
  memtable.PushTombstones(memtable.FindOrInsert(header), 3, tombstones);
  tombstones.Add(DeletionTime{20, 1});
  memtable.PushTombstones(memtable.FindOrInsert(header), 4, tombstones);
  EXPECT_EQ(memtable.TombstonesAt(header, 2), nullptr);
  EXPECT_EQ(memtable.TombstonesAt(header, 3)->Covering("c").timestamp, 10);
  EXPECT_FALSE(memtable.TombstonesAt(header, 3)->Covering("d").present());
  EXPECT_EQ(memtable.TombstonesAt(header, 4)->Covering("d").timestamp, 20);
  EXPECT_TRUE(memtable.TombstonesAt(header, 4)->Ranges().empty()) << "the partition's deletion covers them";
}

// Adds random deletions to PartitionTombstones and to a plain list. At every position, both must give the same
// deletion.
TEST(MemtableTest, PartitionTombstonesCoverWhatTheSingleOnesDo) {
  std::mt19937 random(8);
  for (int round = 0; round < 200; ++round) {
    PartitionTombstones tombstones;
    std::vector<RangeTombstone> all;
    for (int i = 0; i < 40; ++i) {
      if (random() % 30 == 0) {
        const DeletionTime deletion{static_cast<int64_t>(1 + random() % 6), 7};
        tombstones.Add(deletion);
        all.push_back({"", std::nullopt, deletion});
      }
      RangeTombstone range{Bytes(1, static_cast<char>('a' + random() % 20)), std::nullopt, {}};
      if (random() % 5 != 0) range.end = Bytes(1, static_cast<char>(range.begin[0] + 1 + random() % 6));
      range.deletion = {static_cast<int64_t>(1 + random() % 9), 7};
      tombstones.Add(range);
      all.push_back(std::move(range));
      for (char at = 'a'; at <= 'z'; ++at) {
        int64_t newest = kNoTimestamp;
        for (const RangeTombstone& one : all) {
          const bool covers = (one.begin.empty() || one.begin[0] <= at) && (!one.end.has_value() || at < (*one.end)[0]);
          if (covers) newest = std::max(newest, one.deletion.timestamp);
        }
        ASSERT_EQ(tombstones.Covering(Bytes(1, at)).timestamp, newest) << at;
        DeletionTime merged = tombstones.partition();
        for (const auto& one : tombstones.Ranges()) {
          const bool covers = one->begin[0] <= at && (!one->end.has_value() || at < (*one->end)[0]);
          if (covers) merged = one->deletion;
        }
        ASSERT_EQ(merged.timestamp, newest) << at;
      }
      const RangeTombstones ranges = tombstones.Ranges();
      for (size_t n = 1; n < ranges.size(); ++n) ASSERT_LE(ranges[n - 1]->end.value(), ranges[n]->begin);
    }
  }
}

// Write number s stores s under two keys. A reader of sequence number s must find s under both, and the keys in order
// in both directions.
TEST(MemtableConcurrencyTest, ReadersBesideTheWriter) {
  Memtable memtable;
  std::atomic<uint64_t> visible{0};
  std::atomic<bool> stop{false};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, i] {
      std::mt19937 random(static_cast<uint32_t>(i));
      while (!stop) {
        const uint64_t sequence = visible.load(std::memory_order_acquire);
        const Bytes key = std::to_string(random() % 500);
        ASSERT_EQ(RecordAt(memtable.Find("left" + key), sequence), RecordAt(memtable.Find("right" + key), sequence));
        Bytes last;
        for (const Memtable::Node* node = memtable.first(); node != nullptr; node = node->next()) {
          ASSERT_LT(last, node->key());
          last = node->key();
        }
        last = "s";
        for (const Memtable::Node* node = memtable.SeekBefore(last); node != nullptr; node = node->previous()) {
          ASSERT_LT(node->key(), last);
          last = node->key();
        }
      }
    });
  }
  std::mt19937 random(99);
  for (uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
    const Bytes key = std::to_string(random() % 500);
    for (const char* side : {"left", "right"}) {
      memtable.Push(memtable.FindOrInsert(side + key), sequence, std::to_string(sequence));
    }
    visible.store(sequence, std::memory_order_release);
  }
  stop = true;
}

}  // namespace
}  // namespace widerow
