// Tests the memory that many changes of one row or one partition need. It must grow with the number of changes, not
// with the square of this number. Also tests the bounds of a group of writes, of one write, and of the queue.
#include <malloc.h>

#include <random>

#include "storage/memtable/row_parts.h"
#include "storage/reconcile/merge.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class GroupMemoryTest : public EngineFixture {
 protected:
  size_t MemtableBytes() { return engine().Usage().value().memtable_bytes; }

  // Applies `changes` changes as one write. Returns the number of bytes by which the memtable grows.
  size_t BytesOfOneWrite(int changes, const std::function<PartitionMutation(int)>& change) {
    widerow::Write write;
    for (int i = 0; i < changes; ++i) write.mutation.push_back(change(i));
    const size_t before = MemtableBytes();
    const Status applied = engine().Apply(std::move(write));
    EXPECT_TRUE(applied.ok()) << ErrorText(applied);
    EXPECT_EQ(engine().FrozenMemtable(), nullptr);
    return MemtableBytes() - before;
  }

  // Occupies the writer until this object is destroyed. Writes that are submitted in the meantime become one group.
  class WriterHold {
   public:
    explicit WriterHold(LmdbEngine& engine) {
      std::promise<void> held;
      widerow::Write holder;
      holder.decide = [&held, released = release_.get_future().share()](ReadView&) -> Result<Mutation> {
        held.set_value();
        released.wait();
        return Mutation{};
      };
      engine.Submit(std::move(holder), [](const Status&) {});
      held.get_future().wait();
    }
    ~WriterHold() { release_.set_value(); }

   private:
    std::promise<void> release_;
  };
};

RangeDeletion Range(int begin, int end, int64_t timestamp) {
  return {{Int(begin), Int(end)}, {timestamp, kStartSeconds}};
}

// The decide steps of a group read large rows. The rows of the earlier steps are not kept in memory.
TEST_F(GroupMemoryTest, ManyDecideStepsThatReadLargeRows) {
  constexpr int kRows = 20;
  for (int i = 0; i < kRows; ++i) Write(Row(table_, "k", Int(i), Insert(1, {MakeCell(kA, 1, Bytes(1 << 20, 'x'))})));
  Flush();
  size_t least = SIZE_MAX, most = 0;
  std::atomic<int> answered{0};
  {
    WriterHold hold(engine());
    for (int i = 0; i < kRows; ++i) {
      widerow::Write write;
      write.decide = [&, i](ReadView& view) -> Result<Mutation> {
        RowView row;
        WR_ASSIGN_OR_RETURN(const bool found, view.GetRow(*table_, "k", Int(i), row));
        EXPECT_TRUE(found && !row.cells.empty() && row.cells[0].value.size() == size_t{1} << 20);
        const struct mallinfo2 now = mallinfo2();
        least = std::min(least, now.uordblks + now.hblkhd);
        most = std::max(most, now.uordblks + now.hblkhd);
        return Mutation{};
      };
      engine().Submit(std::move(write), [&](const Status& status) {
        EXPECT_TRUE(status.ok());
        ++answered;
      });
    }
  }
  while (answered < kRows) std::this_thread::yield();
  EXPECT_LT(most - least, size_t{4} << 20);
}

TEST_F(GroupMemoryTest, ManyRangeDeletionsOfOnePartition) {
  for (int i = 0; i < 100; ++i) Write(Row(table_, "k", Int(30 * i), Insert(1, {MakeCell(kA, 1, "v")})));
  const auto deletion = [&](int first) {
    return [this, first](int i) {
      PartitionMutation partition = Partition(table_, "k");
      partition.range_deletions.push_back(Range(3 * (first + i), 3 * (first + i) + 1, 10));
      return partition;
    };
  };
  const size_t once = BytesOfOneWrite(2'000, deletion(100'000)), twice = BytesOfOneWrite(4'000, deletion(0));
  EXPECT_LT(twice, 3 * once) << once;
  EXPECT_LT(twice, 4'000u * 1'000);
  EXPECT_EQ(ReadAll(), "") << "each row is in a deleted range";
  Write(Row(table_, "k", Int(1), Insert(20, {MakeCell(kA, 20, "new")})));
  const std::string after = ReadAll();
  EXPECT_THAT(after, HasSubstr("new"));
  Flush();
  EXPECT_EQ(ReadAll(), after);
  EXPECT_EQ(RecordCount(), 6'001u) << "6,000 tombstones and a row";
}

TEST_F(GroupMemoryTest, ManyRangeDeletionsInManyWrites) {
  const size_t before = MemtableBytes();
  for (int i = 0; i < 2'000; ++i) {
    PartitionMutation partition = Partition(table_, "k");
    partition.range_deletions.push_back(Range(2 * i, 2 * i + 1, 10));
    Write(std::move(partition));
  }
  EXPECT_EQ(engine().FrozenMemtable(), nullptr) << "range deletions do not freeze the memtable for everybody";
  EXPECT_EQ(engine().Statistics().folds, 0u);
  EXPECT_LT(MemtableBytes() - before, 2'000u * 1'000);
}

TEST_F(GroupMemoryTest, ManySmallUpdatesOfALargeRow) {
  const Bytes large(400'000, 'x');
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kB, 1, large)})));
  int64_t timestamp = 1;
  const auto update = [&](int) {
    ++timestamp;
    return Row(table_, "k", "c", Update({MakeCell(kA, timestamp, std::to_string(timestamp))}));
  };
  const size_t once = BytesOfOneWrite(200, update), twice = BytesOfOneWrite(400, update);
  EXPECT_LT(twice, 3 * once) << once;
  EXPECT_LT(twice, large.size());
  // Applies the changes as separate writes. Readers may read the row after each of them.
  const size_t before = MemtableBytes();
  for (int i = 0; i < 200; ++i) Write(update(i));
  EXPECT_LT(MemtableBytes() - before, large.size());
  const std::string row = ReadAll();
  EXPECT_THAT(row, HasSubstr("3=801@801"));
  EXPECT_THAT(row, HasSubstr("[400000:"));
  Reopen();
  EXPECT_EQ(ReadAll(), row);
}

TEST_F(GroupMemoryTest, ManyElementsOfOneMap) {
  const auto element = [&](int first) {
    return [this, first](int i) {
      return Row(table_, "k", "c", Update({MakeCell(kMap, 1, "value " + std::to_string(i), Int(first + i))}));
    };
  };
  const size_t once = BytesOfOneWrite(2'000, element(0)), twice = BytesOfOneWrite(4'000, element(2'000));
  EXPECT_LT(twice, 3 * once) << once;
  EXPECT_LT(twice, 4'000u * 2'000);
  const std::string row = ReadAll();
  Flush();
  EXPECT_EQ(ReadAll(), row);
}

// If a whole large row is deleted, reads no longer have to read its large values.
TEST_F(GroupMemoryTest, ADeletedLargeRowIsSmall) {
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kB, 1, Bytes(400'000, 'x'))})));
  RowFragment deletion;
  deletion.deletion = {5, kStartSeconds};
  Write(Row(table_, "k", "c", std::move(deletion)));
  HoldFolder();
  ASSERT_TRUE(engine().Freeze().ok());
  const MemtablePtr memtable = engine().FrozenMemtable();
  ASSERT_NE(memtable, nullptr);
  ASSERT_NE(memtable->first(), nullptr);
  EXPECT_EQ(memtable->first()->VersionAt(~uint64_t{0})->rest(), nullptr);
  EXPECT_LT(memtable->record_bytes(), 1'000u);
  EXPECT_EQ(ReadAll(), "");
}

// If a group fills the memtable, it is applied in parts. So the memtables do not exceed their size. Each part is
// answered before the next one is applied. While both memtables are full, the next part waits for a fold.
TEST_F(GroupMemoryTest, AGroupIsAppliedInPartsThatFitIntoTheMemtable) {
  memtable_bytes_ = 1u << 20;
  Reopen();
  constexpr int kWrites = 40;
  std::atomic<int> answered{0};
  const uint64_t groups_before = engine().Statistics().groups;
  {
    const WriterHold hold(engine());
    for (int i = 0; i < kWrites; ++i) {
      widerow::Write write;
      write.mutation.push_back(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(200'000, 'x'))})));
      engine().Submit(std::move(write), [&](const Status& status) { answered += status.ok() ? 1 : 0; });
    }
  }
  size_t most = 0;
  for (int waits = 0; waits < 60'000 && answered < kWrites; ++waits) {
    const StorageUsage usage = engine().Usage().value();
    most = std::max<size_t>(most, usage.memtable_bytes + usage.folding_bytes);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_EQ(answered, kWrites);
  EXPECT_LT(most, 3u << 20);
  EXPECT_GE(engine().Statistics().groups - groups_before, 10u);
  for (int i = 0; i < kWrites; ++i) EXPECT_THAT(ReadPartition(Int(i)), HasSubstr("[200000:"));
}

TEST_F(GroupMemoryTest, AWriteThatTakesTooMuchMemoryIsStoppedEarly) {
  Write(Row(table_, "other", "c", Insert(1, {MakeCell(kA, 1, "v")})));
  engine().SetWriteMemoryMax(100'000);
  widerow::Write write;
  for (int i = 0; i < 1'000; ++i) {
    write.mutation.push_back(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(1'000, 'x'))})));
  }
  const size_t before = MemtableBytes();
  const Status refused = engine().Apply(std::move(write));
  EXPECT_THAT(ErrorText(refused), HasSubstr("bytes is longer than the maximum of 100000"));
  EXPECT_THAT(refused.error().hint, HasSubstr("write it in parts"));
  EXPECT_LT(MemtableBytes() - before, 110'000u);
  const std::string rows = ReadAll();
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1) << "it leaves nothing behind";
  Write(Row(table_, Int(1), "c", Insert(1, {MakeCell(kA, 1, Bytes(50'000, 'x'))})));
  Reopen();
  EXPECT_THAT(ReadPartition(Int(1)), HasSubstr("[50000:"));
}

TEST_F(GroupMemoryTest, TheQueueCountsWhatDecideStepsHold) {
  std::atomic<int> ok{0}, overloaded{0};
  {
    const WriterHold hold(engine());
    for (int i = 0; i < 5; ++i) {
      widerow::Write write;
      write.decide = [](ReadView&) { return Mutation{}; };
      write.decide_bytes = 100u << 20;
      engine().Submit(std::move(write), [&](const Status& status) {
        if (status.ok()) {
          ++ok;
        } else if (status.error().code == ErrorCode::kOverloaded) {
          ++overloaded;
        }
      });
    }
    EXPECT_EQ(overloaded, 2) << "the queue holds 256 MiB";
  }
  for (int waits = 0; waits < 6'000 && ok < 3; ++waits) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(ok, 3);
}

// Pushes random fragments of one row into a memtable. Each version must contain everything that was pushed up to it,
// however the memtable stores the parts.
TEST(RowPartsTest, EachVersionIsTheWholeRow) {
  const TableColumns columns(NewTable(1));
  size_t parts_of_all = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Memtable memtable;
    Memtable::Node* node = memtable.FindOrInsert("a key");
    std::vector<Bytes> expected;  // The row after each fragment. The index is the sequence number minus 1.
    RowFragment all;
    size_t parts_most = 0;
    for (uint64_t sequence = 1; sequence <= 300; ++sequence) {
      RowFragment fragment;
      const auto timestamp = static_cast<int64_t>(random() % 100);
      const uint32_t what = random() % 200;
      if (what == 0) fragment.deletion = {timestamp, 7};
      if (what == 1) fragment.column_deletions.push_back({kMap, {timestamp, 7}});
      if (what % 4 == 2) fragment.marker = {timestamp, 0, 0};
      const size_t large = what % 50 == 3 ? random() % 50'000 : random() % 50;
      fragment.cells.push_back(MakeCell(random() % 2 == 0 ? kA : kB, timestamp, Bytes(large, 'x')));
      fragment.cells.push_back(MakeCell(kMap, timestamp, "value", Int(static_cast<int32_t>(random() % 5'000))));
      const Bytes record = EncodeFragment(fragment, columns);
      const Memtable::Version* newest = node->VersionAt(~uint64_t{0});
      StoredRow decoded;
      ASSERT_TRUE(DecodeRow(record, decoded));
      all = MergeRows(columns, std::move(all), std::move(decoded.content));
      if (newest == nullptr) {
        memtable.Push(node, sequence, record);
      } else {
        const Result<RowParts> parts = MergeOver(columns, *newest, record);
        ASSERT_TRUE(parts.ok());
        memtable.Push(node, sequence, parts->record, parts->rest);
      }
      expected.push_back(EncodeRow(all, {}, columns));
      size_t parts = 0;
      for (const auto* part = node->VersionAt(sequence); part != nullptr; part = part->rest()) ++parts;
      parts_most = std::max(parts_most, parts);
      ASSERT_EQ(memtable.record_bytes(), 5 + node->VersionAt(sequence)->content_bytes());
    }
    EXPECT_LE(parts_most, 16u);
    parts_of_all = std::max(parts_of_all, parts_most);
    for (uint64_t sequence = 1; sequence <= expected.size(); ++sequence) {
      RowFragment row;
      ASSERT_TRUE(WholeRow(columns, *node->VersionAt(sequence), row));
      ASSERT_EQ(EncodeRow(row, {}, columns), expected[sequence - 1]) << "seed " << seed << " sequence " << sequence;
    }
  }
  EXPECT_GE(parts_of_all, 3u);
}

TEST(RowPartsTest, ADamagedRecordIsAnError) {
  const TableColumns columns(NewTable(1));
  Memtable memtable;
  Memtable::Node* node = memtable.FindOrInsert("a key");
  memtable.Push(node, 1, "no record");
  const Bytes record = EncodeFragment(Update({MakeCell(kA, 1, "v")}), columns);
  const Result<RowParts> parts = MergeOver(columns, *node->VersionAt(1), record);
  ASSERT_FALSE(parts.ok());
  EXPECT_THAT(parts.error().message, HasSubstr("Damaged record"));
  RowFragment row;
  EXPECT_FALSE(WholeRow(columns, *node->VersionAt(1), row));
}

// Undo (Pop) removes versions. Afterwards the sizes are those of the remaining versions.
TEST(RowPartsTest, PopTakesBackTheSizeToo) {
  Memtable memtable;
  Memtable::Node* node = memtable.FindOrInsert("key");
  memtable.Push(node, 1, Bytes(2'000, 'x'));
  EXPECT_EQ(memtable.record_bytes(), 2'003u);
  memtable.Push(node, 2, "small", node->VersionAt(1));
  EXPECT_EQ(memtable.record_bytes(), 2'008u);
  memtable.Pop(node, 2);
  EXPECT_EQ(memtable.record_bytes(), 2'003u);
  PartitionTombstones tombstones;
  tombstones.Add(RangeTombstone{"a", "b", {1, 1}});
  memtable.PushTombstones(memtable.FindOrInsert("head"), 3, tombstones);
  EXPECT_GT(memtable.record_bytes(), 2'003u + 4) << "tombstones count in the progress of a fold";
}

class GroupMemoryConcurrencyTest : public GroupMemoryTest {};

// Each write adds elements to a map. One write of three is refused after it has added some of its elements. Readers
// must see only whole writes.
TEST_F(GroupMemoryConcurrencyTest, ReadersBesideMergedVersions) {
  constexpr int kWrites = 300, kElements = 5;
  constexpr size_t kMemoryMax = 100'000;
  engine().SetWriteMemoryMax(kMemoryMax);
  std::atomic<bool> stop{false};
  std::vector<std::jthread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      size_t last = 0;
      while (!stop) {
        auto view = engine().OpenView();
        RowView row;
        if (!(*view)->GetRow(*table_, "k", "c", row).value()) continue;
        row.ExpandUniform();
        const size_t elements = row.cells.size();
        ASSERT_EQ(elements % kElements, 0u) << "a part of a write";
        ASSERT_GE(elements, last);
        last = elements;
        Slice slice;
        slice.table = table_;
        slice.partitions = Slice::OnePartition{"ranges"};
        auto cursor = (*view)->OpenSlice(slice);
        while ((*cursor)->Next(row).value()) {}
      }
    });
  }
  for (int i = 0; i < kWrites; ++i) {
    widerow::Write write;
    for (int e = 0; e < kElements; ++e) {
      write.mutation.push_back(
          Row(table_, "k", "c", Update({MakeCell(kMap, 1, Bytes(40, 'v'), Int(i * kElements + e))})));
      PartitionMutation ranges = Row(table_, "ranges", Int(e), Insert(100 + i, {}));
      ranges.range_deletions.push_back(Range(i, i + 2, i));
      write.mutation.push_back(std::move(ranges));
    }
    const bool fails = i % 3 == 1;
    if (fails) write.mutation.push_back(Row(table_, "k", "c", Update({MakeCell(kA, 1, Bytes(kMemoryMax, 'x'))})));
    ASSERT_EQ(engine().Apply(std::move(write)).ok(), !fails);
    const Status frozen = i % 100 == 50 ? engine().Freeze() : OkStatus();
    ASSERT_TRUE(frozen.ok());
  }
  stop = true;
  readers.clear();
  auto view = engine().OpenView();
  RowView row;
  ASSERT_TRUE((*view)->GetRow(*table_, "k", "c", row).value());
  row.ExpandUniform();
  EXPECT_EQ(row.cells.size(), static_cast<size_t>(kWrites / 3 * 2 * kElements));
}

}  // namespace
}  // namespace widerow
