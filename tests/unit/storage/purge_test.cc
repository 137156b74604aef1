// A purge removes tombstones and expired data for good. It must never change the answer of a read
// (docs/internals/tombstones.md). sweep_test.cc tests what is purged, and when.
#include "storage_test_support.h"
#include "types/token.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;
using ::testing::Not;

class PurgeTest : public EngineFixture {
 protected:
  static constexpr int kGcGrace = 100;

  void SetUp() override {
    EngineFixture::SetUp();
    SetGcGrace(kGcGrace);
  }
  void SetGcGrace(int32_t seconds) {
    auto table = std::make_shared<TableSchema>(*table_);
    table->options.gc_grace_seconds = seconds;
    UseTable(table);
  }
  void WriteRows(const Bytes& key, int rows, const RowFragment& content) {
    PartitionMutation mutation = Partition(table_, key);
    for (int i = 0; i < rows; ++i) mutation.rows.push_back({false, Int(i), content});
    Write(std::move(mutation));
  }
  void PassGcGrace() { clock_->Set((clock_->NowSeconds() + kGcGrace + 1) * 1'000'000); }
  RowFragment Deletion(int64_t timestamp) {
    RowFragment row;
    row.deletion = {timestamp, clock_->NowSeconds()};
    return row;
  }
  RowFragment Old() { return Insert(1, {MakeCell(kA, 1, "old")}); }
  // Sweeps until no record is due. Unlike SweepAll, it does not fold first.
  void SweepWithoutFolding() {
    const Status swept = engine().RunOnFolder([](StoreWriter& writer) -> Status {
      while (true) {
        WR_ASSIGN_OR_RETURN(const bool more, writer.SweepSlice());
        if (!more) return OkStatus();
      }
    });
    ASSERT_TRUE(swept.ok()) << swept.error().message;
  }
  void Sweep() {
    const Status status = engine().SweepAll();
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  PurgeStatistics Figures() { return engine().Purges(*table_); }
};

TEST_F(PurgeTest, ALateWriteInAMemtableStaysDeleted) {
  Write(Row(table_, "row", "c", Deletion(10)));
  Write(Row(table_, "cell", "c", Update({MakeTombstone(kA, 10)})));
  RowFragment whole_map;
  whole_map.column_deletions.push_back({kMap, {10, kStartSeconds}});
  Write(Row(table_, "map", "c", whole_map));
  Flush();
  Write(Row(table_, "row", "c", Old()));
  Write(Row(table_, "cell", "c", Update({MakeCell(kA, 1, "old")})));
  Write(Row(table_, "map", "c", Update({MakeCell(kMap, 1, "old", Int(1))})));
  EXPECT_THAT(ReadAll(), Not(HasSubstr("old")));
  PassGcGrace();
  SweepWithoutFolding();
  EXPECT_THAT(ReadAll(), Not(HasSubstr("old")));
  EXPECT_EQ(Figures().records_held_back, 3u);
  EXPECT_EQ(Figures().records_purged, 0u);
  Flush();
  EXPECT_THAT(ReadAll(), Not(HasSubstr("old")));
  EXPECT_EQ(RecordCount(), 3u) << "a fold purges nothing";
  PassGcGrace();
  Sweep();
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 0u);
}

// A tombstone is in a memtable that is being folded. A late write of an older value is in the next memtable.
TEST_F(PurgeTest, ALateWriteBehindAFoldStaysDeleted) {
  SetGcGrace(0);
  Write(Row(table_, "k", "c", Deletion(10)));
  clock_->Set((kStartSeconds + 5) * 1'000'000);
  HoldFolder();
  ASSERT_TRUE(engine().Freeze().ok());
  Write(Row(table_, "k", "c", Old()));
  EXPECT_EQ(ReadAll(), "");
  ReleaseFolder();
  SweepWithoutFolding();  // The sweep runs after the fold has ended.
  EXPECT_EQ(ReadAll(), "");
  Flush();
  EXPECT_EQ(ReadAll(), "");
}

// The process is killed during a fold. The next start replays the whole memtable, although the first slices of the fold
// are already stored.
TEST_F(PurgeTest, ALateWriteThatIsReplayedOntoHalfAFoldStaysDeleted) {
  constexpr int kOthers = 600;  // 12 MB. This is more than one slice of a fold takes.
  int64_t first = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < kOthers; ++i) first = std::min(first, Murmur3Token(Int(i)));
  Bytes early;  // This key comes before the others in token order, so it is in the first slice.
  for (int i = 0; early.empty() || Murmur3Token(early) >= first; ++i) early = "early" + std::to_string(i);
  Write(Row(table_, early, "c", Deletion(10)));
  Flush();
  Write(Row(table_, early, "c", Old()));
  for (int i = 0; i < kOthers; ++i) Write(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(20'000, 'x'))})));
  PassGcGrace();
  TempDirectory copy;
  const Status folded = engine().RunOnFolder([&](StoreWriter& writer) -> Status {
    WR_RETURN_IF_ERROR(engine().Freeze());
    const MemtablePtr frozen = engine().FrozenMemtable();
    StoreWriter::Fold fold{frozen.get(), frozen->first()};
    // Stops before the last slice. Only the last slice moves the mark from which the log is replayed.
    WR_ASSIGN_OR_RETURN(const bool done, writer.FoldSlice(fold));
    if (done) return ServerError("the fold has ended");
    WR_ASSIGN_OR_RETURN([[maybe_unused]] const bool swept, writer.SweepSlice());
    std::filesystem::copy(directory_.path(), copy.path(), std::filesystem::copy_options::recursive);
    return OkStatus();
  });
  ASSERT_TRUE(folded.ok()) << folded.error().message;
  StorageOptions killed = options();
  killed.directory = copy.path();
  auto opened = LmdbEngine::Open(killed);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  engine_ = std::move(*opened);
  EXPECT_EQ(ReadPartition(early), "");
  ASSERT_TRUE(engine().SweepAll().ok());
  EXPECT_EQ(ReadPartition(early), "");
  engine_.reset();
}

// A fold fails between two slices of one partition, and later continues with the next rows. The deletions of these rows
// are then only in the data file, where the first slice has stored them.
TEST_F(PurgeTest, DeletionsThatAFoldStillNeedsAreNotPurged) {
  constexpr int kRows = 1'200;  // 12 MB in each partition. This is more than one slice of a fold takes.
  SetGcGrace(0);
  const RowFragment old = Insert(1, {MakeCell(kA, 1, Bytes(10'000, 'x'))});
  for (const char* key : {"partition", "range"}) {
    for (int i = 0; i < kRows; ++i) Write(Row(table_, key, Int(i), old));
  }
  PartitionMutation deletion = Partition(table_, "partition"), range = Partition(table_, "range");
  deletion.partition_deletion = {10, clock_->NowSeconds()};
  range.range_deletions.push_back({{Int(0), Int(kRows), false}, {10, clock_->NowSeconds()}});
  Write(std::move(deletion));
  Write(std::move(range));
  EXPECT_EQ(ReadAll(), "");
  clock_->Set((kStartSeconds + 5) * 1'000'000);
  TempDirectory copy;
  const Status folded = engine().RunOnFolder([&](StoreWriter& writer) -> Status {
    WR_RETURN_IF_ERROR(engine().Freeze());
    const MemtablePtr frozen = engine().FrozenMemtable();
    StoreWriter::Fold fold{frozen.get(), frozen->first()};
    for (bool done = false; !done;) {
      WR_ASSIGN_OR_RETURN(done, writer.FoldSlice(fold));
      for (bool more = true; more;) { WR_ASSIGN_OR_RETURN(more, writer.SweepSlice()); }
    }
    std::filesystem::copy(directory_.path(), copy.path(), std::filesystem::copy_options::recursive);
    return OkStatus();
  });
  ASSERT_TRUE(folded.ok()) << folded.error().message;
  EXPECT_GE(Figures().records_held_back, 2u);
  StorageOptions folded_whole = options();
  folded_whole.directory = copy.path();
  auto opened = LmdbEngine::Open(folded_whole);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  engine_ = std::move(*opened);
  EXPECT_EQ(ReadAll(), "");
  ASSERT_TRUE(engine().SweepAll().ok());
  EXPECT_EQ(ReadAll(), "");
  engine_.reset();
}

// Late writes arrive while rows are swept. A read directly after a write must give the same answer as later reads.
class PurgeConcurrencyTest : public PurgeTest {};

TEST_F(PurgeConcurrencyTest, AWriteThatMeetsTheSweepKeepsItsFirstAnswer) {
  constexpr int kRows = 20'000, kAtOnce = 1'000;
  SetGcGrace(0);
  for (int at = 0; at < kRows; at += kAtOnce) {
    PartitionMutation mutation = Partition(table_, "k");
    for (int i = at; i < at + kAtOnce; ++i) mutation.rows.push_back({false, Int(i), Deletion(10)});
    Write(std::move(mutation));
  }
  Flush();
  clock_->Set((kStartSeconds + 5) * 1'000'000);
  std::jthread sweeper([&] { SweepWithoutFolding(); });
  const auto is_there = [&](int row_number) {
    bool there = false;
    EXPECT_TRUE(engine()
                    .ReadRow(*table_, "k", Int(row_number),
                             [&](const RowView* row) { there = row != nullptr && row->marker.present(); })
                    .ok());
    return there;
  };
  std::vector<std::pair<int, bool>> first;
  for (int i = kRows - 1; i > 0; i -= 37) {
    Write(Row(table_, "k", Int(i), Old()));
    first.emplace_back(i, is_there(i));
  }
  sweeper.join();
  for (const auto& [row_number, there] : first) EXPECT_EQ(is_there(row_number), there) << row_number;
  Sweep();
  for (const auto& [row_number, there] : first) EXPECT_EQ(is_there(row_number), there) << row_number;
}

TEST_F(PurgeConcurrencyTest, TheFenceWaitsForGroupsThatHaveNotSeenIt) {
  PurgeFence fence;
  fence.BeginGroup();
  std::atomic<bool> raised{false};
  std::jthread sweeper([&] {
    fence.Raise({"a", "c"});
    raised = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(raised) << "a group that has not seen the fence is waited for";
  EXPECT_FALSE(fence.Guards("a"));
  fence.EndGroup();
  sweeper.join();
  fence.BeginGroup();
  EXPECT_TRUE(fence.Guards("a"));
  EXPECT_FALSE(fence.Guards("b"));
  std::atomic<bool> lowered{false};
  std::jthread lowers([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    lowered = true;
    fence.Lower();
    fence.Raise({"b"});  // The group waits for Lower, so Raise must not wait for the group.
  });
  fence.WaitUntilLowered();
  EXPECT_TRUE(lowered);
  fence.EndGroup();
  lowers.join();
  fence.Lower();
}

TEST_F(PurgeTest, AHeldSnapshotKeepsItsAnswer) {
  Cell expiring = MakeCell(kA, 5, "brief");
  expiring.ttl = 10;
  expiring.expires_at = kStartSeconds + 10;
  Write(Row(table_, "k", "c", Update({expiring, MakeCell(kB, 5, "stays")})));
  Write(Row(table_, "gone", "c", Deletion(5)));
  Flush();
  auto held = engine().HoldSnapshot();
  ASSERT_TRUE(held.ok());
  PassGcGrace();
  Sweep();
  EXPECT_EQ(ReadAll(), "k/c 4=stays@5\n");
  RowView row;
  auto view = (*held)->OpenView();
  ASSERT_TRUE(view->GetRow(*table_, "k", "c", row).value());
  EXPECT_THAT(RowText(row), HasSubstr("3=brief"));
  EXPECT_EQ(view->NewestTimestamp(*table_, "gone", false, "c").value(), 5);
}

// Each element of a large collection has a record of its own. Elements are swept one by one. A row without a marker is
// swept together with its last element.
TEST_F(PurgeTest, ElementsOfALargeCollectionGoInSlices) {
  constexpr int kElements = 5'000;
  std::vector<Cell> elements, removed;
  for (int i = 0; i < kElements; ++i) {
    elements.push_back(MakeCell(kMap, 1, "value", Int(i)));
    removed.push_back(MakeTombstone(kMap, 2, Int(i)));
  }
  Write(Row(table_, "marked", "c", Insert(1, elements)));
  Write(Row(table_, "unmarked", "c", Update(elements)));
  Flush();
  removed.pop_back();
  for (const char* key : {"marked", "unmarked"}) Write(Row(table_, key, "c", Update(removed)));
  EXPECT_EQ(RecordCount(), 2u * (kElements + 1));
  PassGcGrace();
  Sweep();
  EXPECT_EQ(RecordCount(), 4u) << "rows, and the last element of each";
  EXPECT_THAT(ReadPartition("unmarked"), HasSubstr("value@1"));
  for (const char* key : {"marked", "unmarked"}) {
    Write(Row(table_, key, "c", Update({MakeTombstone(kMap, 2, Int(kElements - 1), clock_->NowSeconds())})));
  }
  Flush();
  PassGcGrace();
  PassGcGrace();
  Sweep();
  EXPECT_EQ(RecordCount(), 1u);
  EXPECT_EQ(ReadAll(), "marked/c marker@1\n");
  EXPECT_EQ(Stats()[0].rows, 1);
}

TEST_F(PurgeTest, PartitionsThatFoldsFilledWithTombstonesAreVisitedAlone) {
  for (int i = 0; i < 200; ++i) Write(Row(table_, Int(i), "c", Old()));
  WriteRows("full", 500, Deletion(5));
  Flush();
  EXPECT_EQ(Figures().partitions_waiting, 1u);
  EXPECT_EQ(Figures().records_waiting, 500u);
  PassGcGrace();
  // A slice ends after some milliseconds. On a slow machine, sweeping the partition takes several slices.
  for (int slice = 0; slice < 500 && Figures().partitions_waiting > 0; ++slice) {
    ASSERT_TRUE(engine()
                    .RunOnFolder([](StoreWriter& writer) {
                      return writer.SweepSlice().ok() ? OkStatus() : ServerError("sweeping");
                    })
                    .ok());
  }
  EXPECT_EQ(Figures().partition_visits, 1u);
  EXPECT_EQ(Figures().walks, 0u);
  EXPECT_EQ(Figures().records_examined, 500u);
  EXPECT_EQ(Figures().records_purged, 500u);
  EXPECT_EQ(Figures().partitions_waiting, 0u);
  EXPECT_EQ(RecordCount(), 200u);
}

TEST_F(PurgeTest, AReadThatPassesManyDeadRowsTellsTheSweeper) {
  WriteRows("full", 2'000, Deletion(5));
  Write(Row(table_, "full", Int(2'000), Old()));
  Write(Row(table_, "other", "c", Old()));
  Reopen();  // The lists of records to sweep were only in memory. They are lost.
  EXPECT_EQ(Figures().partitions_waiting, 0u);
  EXPECT_THAT(ReadPartition("full"), HasSubstr("old"));
  EXPECT_EQ(Figures().partitions_waiting, 1u);
  EXPECT_EQ(Figures().records_waiting, 2'000u);
  PassGcGrace();
  ASSERT_TRUE(engine()
                  .RunOnFolder([](StoreWriter& writer) {
                    for (int i = 0; i < 20; ++i) {
                      if (!writer.SweepSlice().ok()) return Status(ServerError("sweeping"));
                    }
                    return OkStatus();
                  })
                  .ok());
  EXPECT_EQ(Figures().partition_visits, 1u);
  EXPECT_EQ(Figures().records_purged, 2'000u);
  EXPECT_EQ(RecordCount(), 2u);
}

TEST_F(PurgeTest, WhatWasDoneInTablesThatAreGoneIsForgotten) {
  const TablePtr old = table_;
  WriteRows("k", 10, Deletion(5));
  Flush();
  EXPECT_TRUE(engine().Purges(*old).oldest_seconds.has_value());
  auto next = std::make_shared<TableSchema>(*table_);
  next->storage_id = engine().NewStorageId();
  UseTable(next);  // Truncates the table: it gets a new storage id.
  Sweep();
  EXPECT_FALSE(engine().Purges(*old).oldest_seconds.has_value());
}

// If writing stops, no memtable is folded any more. So the sweeper also looks for due rows in memtables.
TEST_F(PurgeConcurrencyTest, AMemtableFullOfWhatIsDueIsFoldedAndSwept) {
  SetGcGrace(0);
  engine_.reset();
  StorageOptions background = options();
  background.background_sweep = true;
  background.sweep_percent = 100;
  auto opened = LmdbEngine::Open(background);
  ASSERT_TRUE(opened.ok());
  engine_ = std::move(*opened);
  WriteRows("k", 1'500, Deletion(5));
  clock_->Set((kStartSeconds + 5) * 1'000'000);
  const auto done = [&] { return Figures().records_purged == 1'500 && !Figures().oldest_seconds.has_value(); };
  for (int waits = 0; waits < 600 && !done(); ++waits) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(Figures().records_purged, 1'500u);
  EXPECT_EQ(Figures().oldest_seconds, std::nullopt);
  EXPECT_EQ(RecordCount(), 0u);
}

}  // namespace
}  // namespace widerow
