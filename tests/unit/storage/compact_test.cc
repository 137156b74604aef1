// Compacting keeps all rows, gives back free pages, and refuses wrong requests. `powercut --compact` (tests/powercut)
// tests kills, power cuts and failing disks.
#include "storage/engine/compact.h"

#include <fstream>

#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using ::testing::Contains;
using ::testing::HasSubstr;

class CompactTest : public EngineFixture {
 protected:
  static constexpr int kRows = 3'000;

  // Writes all kinds of records: plain rows, static columns, spilled values, long keys and tombstones. Then deletes
  // most rows.
  void Fill() {
    for (int i = 0; i < kRows; ++i) Write(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(500, 'x'))})));
    Write(Row(table_, Bytes(2'000, 'k'), Bytes(600, 'c'), Insert(1, {MakeCell(kA, 1, "long")})));
    Write(Row(table_, "spilled", "c", Insert(1, {MakeCell(kA, 1, Bytes(300'000, 's'))})));
    PartitionMutation range = Partition(table_, "ranges");
    range.range_deletions.push_back({{"a", "b"}, {.timestamp = 5, .local_seconds = kStartSeconds}});
    Write(std::move(range));
    for (int i = 0; i < kRows; ++i) {
      if (i % 10 == 0) continue;
      PartitionMutation gone = Partition(table_, Int(i));
      gone.partition_deletion = {.timestamp = 9, .local_seconds = kStartSeconds};
      Write(std::move(gone));
    }
  }
  Result<Compaction> Compact() {
    steps_.clear();
    return CompactDataDirectory(options(), [this](const std::string& doing, uint64_t done, uint64_t all) {
      EXPECT_LE(done, all);
      steps_.insert(doing);
    });
  }
  void Close() {
    ReleaseFolder();
    engine_.reset();
  }

  std::set<std::string> steps_;
};

TEST_F(CompactTest, KeepsEveryRecordAndGivesFreePagesBack) {
  Fill();
  Flush();
  const std::string before = ReadAll();
  const size_t records = RecordCount();
  Close();

  const Result<Compaction> done = Compact();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_GT(done->free_bytes_before, 0u);
  EXPECT_LT(done->bytes_after, done->bytes_before - done->free_bytes_before / 2);
  EXPECT_EQ(done->bytes_after, std::filesystem::file_size(directory_.path() / "data.mdb"));
  EXPECT_GT(done->records, records);  // `records` does not count the records of the catalog.
  EXPECT_THAT(steps_, Contains("sweeping"));
  EXPECT_THAT(steps_, Contains("copying"));
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "data.mdb.new"));

  Open();
  EXPECT_EQ(ReadAll(), before);
  EXPECT_EQ(RecordCount(), records);
  const Result<StorageUsage> usage = engine().Usage();
  ASSERT_TRUE(usage.ok());
  EXPECT_LT(usage->free_pages, 32u);
  // After compacting, tombstones still hide rows, and other rows are found.
  Write(Row(table_, "ranges", "a", Insert(4, {MakeCell(kA, 4, "dead")})));
  Write(Row(table_, "ranges", "c", Insert(4, {MakeCell(kA, 4, "live")})));
  Reopen();
  EXPECT_THAT(ReadPartition("ranges"), HasSubstr("live"));
  EXPECT_THAT(ReadPartition("ranges"), Not(HasSubstr("dead")));
}

TEST_F(CompactTest, TakesWhatTheLogAloneHolds) {
  Flush();
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, "x")})));
  const std::string before = ReadAll();
  // Copies the open directory. The copy is what a kill would leave.
  const TempDirectory killed;
  std::filesystem::copy(directory_.path(), killed.path(), std::filesystem::copy_options::recursive);
  Close();
  StorageOptions of_copy = options();
  of_copy.directory = killed.path();
  ASSERT_TRUE(CompactDataDirectory(of_copy, [](const std::string&, uint64_t, uint64_t) {}).ok());

  std::filesystem::remove_all(killed.path() / "log");  // The data file has everything, so the log is not needed.
  std::filesystem::copy(killed.path(), directory_.path(),
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove_all(directory_.path() / "log");
  EXPECT_FALSE(OpenLmdbEngine(options()).ok()) << "a log that is gone is noticed";
  StorageOptions accepting = options();
  accepting.accept_lost_log = true;
  ASSERT_TRUE(OpenLmdbEngine(accepting).ok());
  Open();
  EXPECT_EQ(ReadAll(), before);
}

TEST_F(CompactTest, RowsOfDroppedTablesGo) {
  Fill();
  UseTable(NewTable(engine().NewStorageId()));
  Close();
  const Result<Compaction> done = Compact();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_LT(done->bytes_after, 200'000u);
  Open();
  EXPECT_EQ(ReadAll(), "");
  EXPECT_EQ(RecordCount(), 0u);
}

TEST_F(CompactTest, RefusesWhatIsInUseOrNoDatabase) {
  const Result<Compaction> in_use = Compact();
  ASSERT_FALSE(in_use.ok());
  EXPECT_THAT(in_use.error().message, HasSubstr("is in use by this process already"));

  const TempDirectory empty;
  for (const char* name : {"", "absent"}) {
    StorageOptions nowhere = options();
    nowhere.directory = empty.path() / name;
    const Result<Compaction> done = CompactDataDirectory(nowhere, [](const std::string&, uint64_t, uint64_t) {});
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("There is no database in"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(empty.path()));
}

TEST_F(CompactTest, AnUnfinishedFileIsRemovedAtTheNextOpen) {
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, "x")})));
  const std::string before = ReadAll();
  Close();
  std::ofstream(directory_.path() / "data.mdb.new") << "half of a file";
  Open();
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "data.mdb.new"));
  EXPECT_EQ(ReadAll(), before);
}

}  // namespace
}  // namespace widerow
