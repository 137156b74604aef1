#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::HasSubstr;

class SpillTest : public EngineFixture {
 protected:
  Bytes StoredValue(ColumnId column, Bytes path = {}) {
    auto view = engine().OpenView();
    RowView row;
    Result<bool> found = (*view)->GetRow(*table_, "k", "c", row);
    EXPECT_TRUE(found.ok() && found.value());
    row.ExpandUniform();
    for (const CellView& cell : row.cells) {
      if (cell.column == column && cell.path == path) return Bytes(cell.value);
    }
    return "absent";
  }
};

TEST_F(SpillTest, ValuesOfEverySizeComeBack) {
  for (const size_t size : {1'023u, 1'024u, 1'025u, 262'143u, 262'144u, 262'145u, 524'288u, 3'000'001u}) {
    Bytes value(size, 'x');
    for (size_t i = 0; i < size; i += 997) value[i] = static_cast<char>(i);
    Write(Row(table_, "k", "c", Insert(static_cast<int64_t>(size), {MakeCell(kA, static_cast<int64_t>(size), value)})));
    EXPECT_TRUE(StoredValue(kA) == value) << size;
    EXPECT_THAT(ReadPartition("k"), HasSubstr("3=[" + std::to_string(size) + ":" + std::to_string(Checksum(value))));
  }
  Write(Row(table_, "k", "c", Insert(4'000'000, {MakeCell(kA, 4'000'000, "short")})));
  EXPECT_EQ(StoredValue(kA), "short");
  EXPECT_EQ(RecordCount(), 1u) << "nothing of the long values is left";
}

TEST_F(SpillTest, OfTwoLongValuesOfOneTimeTheGreaterStays) {
  const Bytes lesser = Bytes(2'000, 'a'), greater = Bytes(2'000, 'b');
  for (const Bytes& value : {lesser, greater, lesser}) {
    Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, value)})));
  }
  EXPECT_EQ(StoredValue(kA), greater);
  EXPECT_EQ(RecordCount(), 2u);
}

TEST_F(SpillTest, AddingToASpilledCollectionLeavesTheOthersAlone) {
  RowFragment content = Insert(1, {});
  for (int i = 0; i < 5'000; ++i) content.cells.push_back(MakeCell(kMap, 1, "value", Int(i)));
  Write(Row(table_, "k", "c", std::move(content)));
  const auto before = Stats()[0].bytes;
  Write(Row(table_, "k", "c", Update({MakeCell(kMap, 2, "more", Int(-1))})));
  EXPECT_LT(Stats()[0].bytes - before, 100);
  EXPECT_EQ(StoredValue(kMap, Int(-1)), "more");
  EXPECT_EQ(StoredValue(kMap, Int(4'999)), "value");
  EXPECT_EQ(RecordCount(), 5'002u);
  auto view = engine().OpenView();
  RowView row;
  ASSERT_TRUE((*view)->GetRow(*table_, "k", "c", row).value());
  ASSERT_EQ(row.cells.size(), 5'001u);
  EXPECT_EQ(row.cells[0].path, Int(-1)) << "elements come in the order of their type";
}

TEST_F(SpillTest, ReplacingASpilledCollectionDropsItsElements) {
  RowFragment content = Insert(1, {MakeCell(kMap, 1, Bytes(3'000, 'x'), Int(1)), MakeCell(kMap, 5, "late", Int(2))});
  Write(Row(table_, "k", "c", std::move(content)));
  RowFragment replace = Update({MakeCell(kMap, 4, "new", Int(3))});
  replace.column_deletions.push_back({kMap, {3, kStartSeconds}});
  Write(Row(table_, "k", "c", std::move(replace)));
  EXPECT_EQ(StoredValue(kMap, Int(1)), "absent");
  EXPECT_EQ(StoredValue(kMap, Int(2)), "late");
  EXPECT_EQ(StoredValue(kMap, Int(3)), "new");
  Write(Row(table_, "k", "c", Update({MakeCell(kMap, 2, "too late", Int(1))})));
  EXPECT_EQ(StoredValue(kMap, Int(1)), "absent") << "the column's deletion still counts";
}

TEST_F(SpillTest, DeletingARowTakesItsSpills) {
  RowFragment content = Insert(1, {MakeCell(kA, 1, Bytes(300'000, 'x')), MakeCell(kMap, 1, Bytes(3'000, 'x'), Int(1))});
  Write(Row(table_, "k", "c", std::move(content)));
  RowFragment deletion;
  deletion.deletion = {1, kStartSeconds};
  Write(Row(table_, "k", "c", deletion));
  EXPECT_EQ(ReadPartition("k"), "");
  EXPECT_EQ(RecordCount(), 1u) << "the row's deletion";
}

TEST_F(SpillTest, AStaticRowSpillsToo) {
  PartitionMutation mutation = Partition(table_, "k");
  mutation.rows.push_back({true, {}, Update({MakeCell(kStaticText, 1, Bytes(500'000, 's'))})});
  Write(std::move(mutation));
  EXPECT_THAT(ReadPartition("k"), HasSubstr("k/static 2=[500000:"));
}

TEST_F(SpillTest, RowsWithLongKeysSpillUnderTheirKeys) {
  const Bytes clustering(1'000, 'c');
  Write(Row(table_, Bytes(700, 'k'), clustering, Insert(1, {MakeCell(kA, 1, Bytes(600'000, 'v'))})));
  EXPECT_THAT(ReadAll(), HasSubstr("3=[600000:"));
  PartitionMutation deletion = Partition(table_, Bytes(700, 'k'));
  deletion.partition_deletion = {2, kStartSeconds - 900'000};
  Write(std::move(deletion));
  clock_->Set((kStartSeconds + 10) * 1'000'000);
  ASSERT_TRUE(engine().SweepAll().ok());
  EXPECT_EQ(RecordCount(), 0u);
}

}  // namespace
}  // namespace widerow
