// Schema changes and TRUNCATE do not wait for folds: neither for a fold that has not begun, nor for writes that wait
// until a fold has ended.
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

class SchemaDuringFoldTest : public EngineFixture {
 protected:
  static constexpr size_t kValueBytes = 16'384;

  void SetUp() override {
    memtable_bytes_ = 1u << 20;
    Open();
    HoldFolder();
  }
  void TearDown() override {
    ReleaseFolder();
    for (std::future<Status>& write : waiting_) EXPECT_TRUE(write.get().ok());
  }

  // Writes until the memory for writes is full. One more write then waits for a fold. SetUp has stopped the thread that
  // folds, so this fold does not happen before ReleaseFolder.
  void FillMemtables() {
    const auto no_room = [&] {
      const Result<StorageUsage> usage = engine().Usage();
      return usage->memtable_bytes >= memtable_bytes_ && usage->folding_bytes > 0;
    };
    int number = 0;
    for (; !no_room(); ++number) Write(Big(number));
    waiting_.push_back(std::async(std::launch::async, [this, number] { return Apply(Big(number)); }));
  }
  PartitionMutation Big(int number) {
    return Row(table_, Int(number), "c", Insert(1, {MakeCell(kA, 1, Bytes(kValueBytes, 'x'))}));
  }

  // Returns true if the change is made while the folder is held. Otherwise releases the folder, so that the test ends.
  bool IsMade(const SchemaPtr& schema) {
    std::future<Status> change = std::async(std::launch::async, [&] { return engine().CommitSchema(schema); });
    const bool made = change.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
    if (!made) ReleaseFolder();
    return change.get().ok() && made;
  }
  bool StillWaits() { return waiting_.back().wait_for(std::chrono::seconds(0)) != std::future_status::ready; }

  std::vector<std::future<Status>> waiting_;
};

TEST_F(SchemaDuringFoldTest, TablesAreMadeTruncatedAndDroppedWhileWritesWaitForAFold) {
  FillMemtables();
  const TablePtr other = NewTable(engine().NewStorageId(), "other");
  ASSERT_TRUE(IsMade(SchemaOf({table_, other})));
  const TablePtr truncated = NewTable(engine().NewStorageId());
  ASSERT_TRUE(IsMade(SchemaOf({truncated, other})));
  ASSERT_TRUE(IsMade(SchemaOf({truncated})));
  EXPECT_TRUE(StillWaits());

  table_ = truncated;
  EXPECT_EQ(ReadAll(), "");
}

TEST_F(SchemaDuringFoldTest, NorDoTheyWaitForAFlushThatDoes) {
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, "x")})));
  ASSERT_TRUE(engine().Freeze().ok());
  Write(Row(table_, "l", "c", Insert(1, {MakeCell(kA, 1, "y")})));
  waiting_.push_back(std::async(std::launch::async, [&] { return engine().Flush(); }));

  const TablePtr truncated = NewTable(engine().NewStorageId());
  ASSERT_TRUE(IsMade(SchemaOf({truncated})));
  EXPECT_TRUE(StillWaits());
  table_ = truncated;
  EXPECT_EQ(ReadAll(), "");
}

TEST_F(SchemaDuringFoldTest, WritesThatWaitedGoOnAsTheSchemaIsThen) {
  FillMemtables();
  const TablePtr truncated = NewTable(engine().NewStorageId());
  ASSERT_TRUE(IsMade(SchemaOf({truncated})));
  ReleaseFolder();
  EXPECT_TRUE(waiting_.back().get().ok());
  waiting_.pop_back();
  table_ = truncated;
  EXPECT_EQ(ReadAll(), "") << "a write begun before TRUNCATE is not seen after it";
  Write(Row(table_, "k", "c", Insert(2, {MakeCell(kA, 2, "z")})));
  EXPECT_NE(ReadAll(), "");
}

}  // namespace
}  // namespace widerow
