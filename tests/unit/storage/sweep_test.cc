#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class SweepTest : public EngineFixture {
 protected:
  void Fill(const Bytes& key, int rows, int64_t timestamp = 1) {
    for (int at = 0; at < rows; at += 1'000) {
      PartitionMutation mutation = Partition(table_, key);
      for (int i = at; i < std::min(rows, at + 1'000); ++i) {
        mutation.rows.push_back({false, Int(i), Insert(timestamp, {MakeCell(kA, timestamp, "v")})});
      }
      Write(std::move(mutation));
    }
    Flush();
  }
  int CountRows(const Bytes& key) {
    const std::string text = ReadPartition(key);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  void DeletePartition(const Bytes& key, int64_t timestamp) {
    PartitionMutation mutation = Partition(table_, key);
    mutation.partition_deletion = {timestamp, clock_->NowSeconds()};
    Write(std::move(mutation));
  }
  void Sweep() {
    const Status status = engine().SweepAll();
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  void SetGcGrace(int32_t seconds) {
    auto table = std::make_shared<TableSchema>(*table_);
    table->options.gc_grace_seconds = seconds;
    UseTable(table);
  }
};

TEST_F(SweepTest, ATruncatedTableIsSweptAway) {
  Fill("k", 3'000);
  Write(Row(table_, Bytes(2'000, 'k'), Bytes(5'000, 'c'), Insert(1, {MakeCell(kA, 1, Bytes(300'000, 'x'))})));
  Flush();
  auto next = std::make_shared<TableSchema>(*table_);
  next->storage_id = engine().NewStorageId();
  UseTable(next);
  EXPECT_EQ(ReadAll(), "");
  Write(Row(table_, "k", "c", Insert(2, {})));
  Reopen();  // The list of partitions to sweep is stored, so it survives this.
  EXPECT_GT(RecordCount(), 3'000u);
  Sweep();
  EXPECT_EQ(RecordCount(), 1u);
  EXPECT_EQ(ReadAll(), "k/c marker@2\n");
}

TEST_F(SweepTest, ADeletionOfManyRowsIsSeenAtOnceAndSweptLater) {
  Fill("k", 25'000);
  auto before = engine().OpenView();
  DeletePartition("k", 5);
  EXPECT_EQ(CountRows("k"), 0);
  RowView row;
  EXPECT_TRUE((*before)->GetRow(*table_, "k", Int(24'999), row).value());
  EXPECT_TRUE(row.marker.present()) << "an older snapshot does not see the deletion";
  before->reset();
  EXPECT_GT(RecordCount(), 10'000u) << "not all is gone yet";
  // RecordCount has closed and opened the engine. The deletion still hides the rows.
  EXPECT_EQ(CountRows("k"), 0);
  Write(Row(table_, "k", Int(20'000), Insert(6, {MakeCell(kA, 6, "new")})));
  Write(Row(table_, "k", Int(20'001), Insert(4, {MakeCell(kA, 4, "late")})));
  EXPECT_EQ(CountRows("k"), 1);
  Sweep();
  EXPECT_EQ(CountRows("k"), 1);
  EXPECT_EQ(RecordCount(), 2u) << "header and the new row";
  EXPECT_EQ(Stats()[0].rows, 1);
}

TEST_F(SweepTest, ARangeDeletionOfManyRowsLeavesTheOthers) {
  Fill("k", 25'000);
  PartitionMutation mutation = Partition(table_, "k");
  mutation.range_deletions.push_back({{Int(1'000), Int(24'000), false}, {5, kStartSeconds}});
  Write(std::move(mutation));
  EXPECT_EQ(CountRows("k"), 2'000);
  widerow::Write write;  // A decide step (the function of a conditional write) must see the deletion too.
  write.decide = [&](ReadView& view) -> Result<Mutation> {
    RowView row;
    WR_ASSIGN_OR_RETURN(const bool found, view.GetRow(*table_, "k", Int(20'000), row));
    if (found && row.marker.present()) return InvalidError("still there");
    return Mutation{};
  };
  EXPECT_EQ(ErrorText(engine().Apply(std::move(write))), "ok");
  Sweep();
  EXPECT_EQ(CountRows("k"), 2'000);
  EXPECT_EQ(RecordCount(), 2'001u);
}

TEST_F(SweepTest, TombstonesGoAfterGcGrace) {
  SetGcGrace(100);
  Write(Row(table_, "row", "c", Insert(1, {MakeCell(kA, 1, "v")})));
  RowFragment deletion;
  deletion.deletion = {2, kStartSeconds};
  Write(Row(table_, "row", "c", deletion));
  DeletePartition("partition", 2);
  PartitionMutation range = Partition(table_, "range");
  range.range_deletions.push_back({{"a", "b", false}, {2, kStartSeconds}});
  Write(std::move(range));
  Write(Row(table_, "cell", "c", Insert(1, {MakeTombstone(kA, 2), MakeCell(kB, 1, "stays")})));
  clock_->Set((kStartSeconds + 100) * 1'000'000);
  Sweep();
  EXPECT_EQ(RecordCount(), 4u) << "still protected";
  Write(Row(table_, "row", "c", Insert(1, {MakeCell(kA, 1, "late")})));
  EXPECT_EQ(ReadPartition("row"), "");
  clock_->Set((kStartSeconds + 101) * 1'000'000);
  Sweep();
  EXPECT_EQ(RecordCount(), 1u);
  EXPECT_EQ(ReadAll(), "cell/c marker@1 4=stays@1\n");
}

TEST_F(SweepTest, ExpiredCellsStayThroughGcGraceAndThenGo) {
  SetGcGrace(100);
  Cell expiring = MakeCell(kA, 1, Bytes(2'000, 'x'));
  expiring.ttl = 10;
  expiring.expires_at = kStartSeconds + 10;
  Cell element = MakeCell(kMap, 1, Bytes(2'000, 'y'), Int(1));
  element.ttl = 10;
  element.expires_at = kStartSeconds + 10;
  RowFragment content = Update({expiring, element});
  content.marker = {1, 10, kStartSeconds + 10};
  Write(Row(table_, "k", "c", content));
  clock_->Set((kStartSeconds + 50) * 1'000'000);
  Sweep();
  EXPECT_EQ(RecordCount(), 3u);
  EXPECT_THAT(ReadAll(), HasSubstr("!10/" + std::to_string(kStartSeconds + 10)));
  clock_->Set((kStartSeconds + 111) * 1'000'000);
  Sweep();
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 0u);
}

TEST_F(SweepTest, PurgingComesBackForWhatWasNotDueYet) {
  SetGcGrace(100);
  RowFragment deletion;
  deletion.deletion = {2, kStartSeconds};
  Write(Row(table_, "a", "c", deletion));
  clock_->Set((kStartSeconds + 80) * 1'000'000);
  deletion.deletion = {2, kStartSeconds + 80};
  Write(Row(table_, "b", "c", deletion));
  clock_->Set((kStartSeconds + 120) * 1'000'000);
  Sweep();
  EXPECT_EQ(RecordCount(), 1u);
  Reopen();
  clock_->Set((kStartSeconds + 250) * 1'000'000);
  Sweep();
  EXPECT_EQ(RecordCount(), 0u);
}

// With gc_grace_seconds = 0, a deletion may be purged as soon as it has been applied.
TEST_F(SweepTest, ADeletionWithoutGcGraceStillDeletes) {
  SetGcGrace(0);
  clock_->Set((kStartSeconds + 5) * 1'000'000);
  Write(Row(table_, "k", "c",
            Insert(1, {MakeCell(kA, 1, Bytes(2'000, 'x')), MakeCell(kMap, 1, Bytes(2'000, 'y'), Int(1))})));
  RowFragment deletion;
  deletion.deletion = {2, kStartSeconds};
  Write(Row(table_, "k", "c", deletion));
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 1u);
  Sweep();
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 0u);
}

TEST_F(SweepTest, TheBackgroundSweepRunsByItself) {
  Fill("k", 500);
  engine_.reset();
  StorageOptions background = options();
  background.background_sweep = true;
  {
    auto opened = LmdbEngine::Open(background);
    ASSERT_TRUE(opened.ok());
    auto next = std::make_shared<TableSchema>(*table_);
    next->storage_id = (*opened)->NewStorageId();
    ASSERT_TRUE((*opened)->CommitSchema(SchemaOf({next})).ok());
    for (int i = 0; i < 1'000 && (*opened)->SweepIsDue(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Open();
  EXPECT_EQ(RecordCount(), 0u);
}

}  // namespace
}  // namespace widerow
