// Readers and writers use one engine at the same time. ThreadSanitizer runs these tests by
// --gtest_filter=*Concurrency*.
#include <random>
#include <thread>

#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

class StorageConcurrencyTest : public EngineFixture {};

// Every write puts the same number into two partitions. A reader that finds different numbers has seen half a write.
TEST_F(StorageConcurrencyTest, ReadersSeeWholeWritesInOrder) {
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::vector<std::jthread> threads;
  for (int w = 0; w < 3; ++w) {
    threads.emplace_back([&, w] {
      for (int i = 1; i <= 100; ++i) {
        widerow::Write write;
        for (const char* side : {"left", "right"}) {
          write.mutation.push_back(Row(table_, side + Int(w), "c", Insert(i, {MakeCell(kA, i, Int(i))})));
        }
        ASSERT_TRUE(engine().Apply(std::move(write)).ok());
        // A view that is opened after the answer to a write shows this write.
        auto view = engine().OpenView();
        RowView row;
        ASSERT_TRUE((*view)->GetRow(*table_, "left" + Int(w), "c", row).value());
        ASSERT_EQ(row.packed.Find(kA), Int(i));
        engine().CountRead(*table_, "left" + Int(w), 1);
      }
    });
  }
  for (int r = 0; r < 3; ++r) {
    threads.emplace_back([&, r] {
      std::vector<Bytes> last(3);
      while (!stop) {
        auto view = engine().OpenView();
        ASSERT_TRUE(view.ok());
        const int w = static_cast<int>(reads++ % 3);
        RowView left, right;
        const bool found = (*view)->GetRow(*table_, "left" + Int(w), "c", left).value();
        ASSERT_EQ((*view)->GetRow(*table_, "right" + Int(w), "c", right).value(), found);
        if (!found) continue;
        ASSERT_EQ(left.packed.Find(kA), right.packed.Find(kA));
        ASSERT_GE(left.packed.Find(kA), last[static_cast<size_t>(w)]) << "time went back";
        last[static_cast<size_t>(w)] = Bytes(left.packed.Find(kA));
        Slice slice;
        slice.table = table_;
        slice.partitions = Slice::TokenRange{};
        auto cursor = (*view)->OpenSlice(slice);
        RowView row;
        while ((*cursor)->Next(row).value()) ASSERT_EQ(row.packed.Find(kA).size(), 4u);
      }
    });
  }
  for (int w = 0; w < 3; ++w) threads[static_cast<size_t>(w)].join();
  stop = true;
  threads.clear();
  EXPECT_GT(reads, 10);
  EXPECT_EQ(Stats()[0].rows, 6);
  EXPECT_EQ(Stats()[0].reads, 300u);
}

TEST_F(StorageConcurrencyTest, DecideStepsOfManyThreadsLoseNoUpdate) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        widerow::Write write;
        write.decide = [&](ReadView& view) -> Result<Mutation> {
          RowView row;
          WR_ASSIGN_OR_RETURN(const bool found, view.GetRow(*table_, "k", "c", row));
          const int before = found ? ReadBigEndian<int32_t>(row.packed.Find(kA).data()) : 0;
          const int64_t timestamp = engine().NextTimestampMicros();
          return Mutation{Row(table_, "k", "c", Insert(timestamp, {MakeCell(kA, timestamp, Int(before + 1))}))};
        };
        ASSERT_TRUE(engine().Apply(std::move(write)).ok());
      }
    });
  }
  threads.clear();
  auto view = engine().OpenView();
  RowView row;
  ASSERT_TRUE((*view)->GetRow(*table_, "k", "c", row).value());
  EXPECT_EQ(row.packed.Find(kA), Int(200));
}

// A large deletion is being swept while rows are added. Each snapshot shows all of the deletion or nothing of it.
TEST_F(StorageConcurrencyTest, ADeletionUnderSweepIsSeenWholeOrNotAtAll) {
  constexpr int kRows = 15'000;
  PartitionMutation fill = Partition(table_, "k");
  for (int i = 0; i < kRows; ++i) fill.rows.push_back({false, Int(i), Insert(1, {})});
  Write(std::move(fill));
  std::atomic<bool> stop{false};
  std::jthread reader([&] {
    int last = kRows;
    while (!stop) {
      auto view = engine().OpenView();
      Slice slice;
      slice.table = table_;
      slice.partitions = Slice::OnePartition{"k"};
      auto cursor = (*view)->OpenSlice(slice);
      RowView row;
      int rows = 0;
      while ((*cursor)->Next(row).value()) ++rows;
      ASSERT_TRUE(rows == kRows || rows == 0) << rows;
      ASSERT_LE(rows, last) << "deleted rows came back";
      last = rows;
    }
  });
  PartitionMutation deletion = Partition(table_, "k");
  deletion.partition_deletion = {2, kStartSeconds};
  Write(std::move(deletion));
  const Status swept = engine().SweepAll();
  stop = true;
  reader.join();
  EXPECT_TRUE(swept.ok());
  EXPECT_EQ(RecordCount(), 1u);
}

TEST_F(StorageConcurrencyTest, SchemaChangesAmongWritesAndReads) {
  std::atomic<bool> stop{false};
  std::jthread writer([&] {
    const TablePtr table = table_;
    for (int i = 0; !stop; ++i) ASSERT_TRUE(Apply(Row(table, Int(i), "c", Insert(1, {}))).ok());
  });
  std::jthread reader([&] {
    while (!stop) ASSERT_EQ(ReadAll().find("error"), std::string::npos);
  });
  std::vector<TablePtr> tables{table_};
  for (int i = 0; i < 20; ++i) {
    tables.push_back(NewTable(engine().NewStorageId(), "t" + std::to_string(i)));
    ASSERT_TRUE(engine().CommitSchema(SchemaOf(tables)).ok());
  }
  stop = true;
}

}  // namespace
}  // namespace widerow
