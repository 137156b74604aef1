// An extent is a range of a table's keys with a storage id of its own. Truncating or dropping a partition makes one.
#include "storage/format/key_codec.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

class ExtentsTest : public EngineFixture {
 protected:
  void SetUp() override {
    Open();
    auto ranged = std::make_shared<TableSchema>(*NewTable(engine().NewStorageId()));
    ranged->partitioning.kind = PartitionKind::kRange;
    ranged->partition_map = {
        {.id = 0}, {.id = 1, .first_position = PositionOfKey("h")}, {.id = 2, .first_position = PositionOfKey("p")}};
    UseTable(ranged);
  }
  // Truncates the partition from "h" to "p": gives these keys a new storage id, and the partition another id.
  void TruncateMiddle(StorageId id) {
    auto next = std::make_shared<TableSchema>(*table_);
    next->partitioning.extents = {
        {{}, table_->storage_id}, {PositionOfKey("h"), id}, {PositionOfKey("p"), table_->storage_id}};
    next->partition_map[1].id = 9;
    UseTable(next);
  }
  void Put(std::initializer_list<const char*> keys, int64_t timestamp = 1) {
    for (const char* key : keys) Write(Row(table_, key, "c", Insert(timestamp, {})));
  }
  std::string Keys(Direction direction, Slice::KeyRange range = {}, std::optional<Bytes> after = std::nullopt) {
    Slice slice{.table = table_, .partitions = std::move(range), .direction = direction};
    if (after) slice.resume = Slice::ResumePoint{.partition_key = *after, .partition_done = true};
    const std::string rows = Read(slice);
    std::string keys;
    for (size_t at = 0; at < rows.size(); at = rows.find('\n', at) + 1)
      keys += (keys.empty() ? "" : " ") + rows.substr(at, rows.find('/', at) - at);
    return keys;
  }
  std::string Forward() { return Keys(Direction::kForward); }
  std::string Backward() { return Keys(Direction::kBackward); }
};

TEST_F(ExtentsTest, KeyRangesAreReadBothWaysAndGoneOnWith) {
  Put({"m", "a", "z", "h", "p", "g"});
  for (const bool stored : {false, true}) {
    if (stored) Flush();
    EXPECT_EQ(Forward(), "a g h m p z");
    EXPECT_EQ(Backward(), "z p m h g a");
    EXPECT_EQ(Keys(Direction::kForward, {"g", "p"}), "g h m");
    EXPECT_EQ(Keys(Direction::kBackward, {"g", "p"}), "m h g");
    EXPECT_EQ(Keys(Direction::kForward, {"b", std::nullopt}, "h"), "m p z");
    EXPECT_EQ(Keys(Direction::kBackward, {"b", std::nullopt}, "h"), "g");
    EXPECT_EQ(Keys(Direction::kForward, {}, "i"), "m p z") << "the row that a page ended with may be gone";
  }
}

TEST_F(ExtentsTest, WhatWasThereIsGoneAndIsSweptInItsRangeAlone) {
  Put({"a", "g", "h", "m", "o"});
  Flush();
  Put({"n", "p", "z"});  // These rows are only in the memtable.
  const TablePtr before = table_;
  const StorageId fresh = engine().NewStorageId();
  TruncateMiddle(fresh);
  EXPECT_EQ(Forward(), "a g p z");
  EXPECT_EQ(Backward(), "z p g a");
  EXPECT_EQ(Keys(Direction::kForward, {}, "m"), "p z") << "a page that ended in what is gone";
  EXPECT_EQ(Keys(Direction::kBackward, {}, "m"), "g a");
  Put({"m", "k"}, 2);
  // This write uses the schema from before the truncation. It is dropped with the old partition.
  Write(Row(before, "l", "c", Insert(9, {})));
  EXPECT_EQ(Forward(), "a g k m p z");
  EXPECT_EQ(engine().Partitions(*table_)[1].rows, 2);

  Reopen();
  EXPECT_EQ(Forward(), "a g k m p z");
  EXPECT_EQ(RecordCount(), 9u) << "six rows, and three that are to be swept";
  ASSERT_TRUE(engine().SweepAll().ok());
  EXPECT_EQ(RecordCount(), 6u);
  EXPECT_EQ(Forward(), "a g k m p z");
  std::string rows;
  for (const PartitionStats& partition : Stats()) rows += std::to_string(partition.rows) + " ";
  EXPECT_EQ(rows, "2 2 2 ");
}

TEST_F(ExtentsTest, AnOlderSnapshotSeesWhatWasThere) {
  Put({"a", "m", "z"});
  const TablePtr before = table_;
  auto view = engine().OpenView();
  ASSERT_TRUE(view.ok());
  TruncateMiddle(engine().NewStorageId());
  auto cursor = (*view)->OpenSlice({.table = before, .partitions = Slice::KeyRange{}});
  ASSERT_TRUE(cursor.ok());
  RowView row;
  int rows = 0;
  while ((*cursor)->Next(row).value()) ++rows;
  EXPECT_EQ(rows, 3);
}

TEST_F(ExtentsTest, ReplayLeavesTruncatedRowsBehind) {
  Put({"a", "m", "z"});
  TruncateMiddle(engine().NewStorageId());
  Put({"n"}, 2);
  HoldFolder();  // Prevents folds, so that the next start replays all groups.
  EXPECT_EQ(Forward(), "a n z");
  ReleaseFolder();
  Reopen();
  EXPECT_EQ(Forward(), "a n z");
  Flush();
  ASSERT_TRUE(engine().SweepAll().ok());
  EXPECT_EQ(RecordCount(), 3u);
}

TEST(LostExtents, AreWhatAnotherIdHasNow) {
  TableSchema was{.storage_id = 7};
  was.partitioning.kind = PartitionKind::kRange;
  TableSchema is = was;
  EXPECT_TRUE(LostExtents(was, is).empty());
  const Bytes h = PositionOfKey("h"), m = PositionOfKey("m"), p = PositionOfKey("p");
  is.partitioning.extents = {{{}, 7}, {h, 8}, {p, 7}};
  EXPECT_EQ(LostExtents(was, is), (std::vector<KeyExtent>{{7, h, p}}));
  // The second truncation also includes the extent that begins at `p`. Storage id 8 is not used any more, so
  // LostExtents does not list the extent with this id.
  TableSchema again = is;
  again.partitioning.extents = {{{}, 7}, {h, 9}};
  EXPECT_EQ(LostExtents(is, again), (std::vector<KeyExtent>{{7, p, {}}}));
  EXPECT_EQ(StorageIdsOf(again), (std::vector<StorageId>{7, 9}));
  // Storage id 0 means that a LIST partition was dropped.
  again.partitioning.extents = {{{}, 7}, {h, 0}, {m, 9}};
  EXPECT_EQ(StorageIdAt(again, h), 0u);
  EXPECT_EQ(StorageIdsOf(again), (std::vector<StorageId>{7, 9}));
}

}  // namespace
}  // namespace widerow
