// Tests the figures that show the use of disk and memory (Usage).
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

class UsageTest : public EngineFixture {
 protected:
  StorageUsage Usage() {
    const Result<StorageUsage> usage = engine().Usage();
    EXPECT_TRUE(usage.ok());
    return usage.ok() ? *usage : StorageUsage();
  }
  // Reads the figures until they are as `wanted`. Free pages are counted only from time to time, so the figures may be
  // late.
  StorageUsage UsageWhen(const std::function<bool(const StorageUsage&)>& wanted) {
    StorageUsage usage = Usage();
    for (int i = 0; i < 6'000 && !wanted(usage); ++i, usage = Usage()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return usage;
  }
};

TEST_F(UsageTest, SaysWhatIsInMemoryAndInTheLog) {
  Flush();
  const StorageUsage before = Usage();
  EXPECT_EQ(before.map_bytes, map_bytes_);
  EXPECT_EQ(before.memtable_bytes_max, memtable_bytes_);
  EXPECT_EQ(before.folding_bytes, 0u);

  HoldFolder();
  Write(Row(table_, "k", "c", Insert(1, {MakeCell(kA, 1, Bytes(100'000, 'x'))})));
  const StorageUsage written = Usage();
  EXPECT_GE(written.memtable_bytes, before.memtable_bytes + 100'000);
  EXPECT_GE(written.log_bytes, 100'000u);

  ASSERT_TRUE(engine().Freeze().ok());
  const StorageUsage frozen = Usage();
  EXPECT_GE(frozen.folding_bytes, 100'000u);
  EXPECT_LT(frozen.memtable_bytes, 100'000u);
  Flush();
  EXPECT_EQ(Usage().folding_bytes, 0u);
}

TEST_F(UsageTest, MemtablesGrowBeyondTheirSizeWhereAFoldHasLeftRoom) {
  memtable_bytes_ = 1 << 20;
  Reopen();
  constexpr size_t kRowBytes = 20'000;
  int rows = 0;
  const auto write = [&] { Write(Row(table_, Int(rows++), "c", Insert(1, {MakeCell(kA, 1, Bytes(kRowBytes, 'x'))}))); };
  // Only two writes come during the first fold. So the engine expects few writes during the next fold, and freezes the
  // next memtable only when it has grown beyond its size.
  HoldFolder();
  while (Usage().folding_bytes == 0) write();
  EXPECT_LT(Usage().folding_bytes, memtable_bytes_ + 2 * kRowBytes);
  write();
  ReleaseFolder();
  Flush();
  size_t most = 0;
  for (int i = 0; i < 70; ++i) {
    write();
    const StorageUsage usage = Usage();
    most = std::max<size_t>(most, usage.memtable_bytes);
    EXPECT_LE(usage.memtable_bytes + usage.folding_bytes, 2 * memtable_bytes_ + 2 * kRowBytes);
  }
  EXPECT_GT(most, memtable_bytes_ + memtable_bytes_ / 4);
  EXPECT_LE(most, memtable_bytes_ / 2 * 3 + 2 * kRowBytes);
}

TEST_F(UsageTest, CountsThePagesThatDeletedRowsLeave) {
  constexpr int kRows = 2'000;
  for (int i = 0; i < kRows; ++i) Write(Row(table_, Int(i), "c", Insert(1, {MakeCell(kA, 1, Bytes(1'000, 'x'))})));
  Flush();
  const uint64_t needed = uint64_t{kRows} * 1'000 / Usage().page_bytes;
  const StorageUsage full = UsageWhen([&](const StorageUsage& usage) { return usage.pages > needed; });
  EXPECT_GT(full.pages, needed);
  EXPECT_LT(full.free_pages, full.pages / 2);

  const TablePtr truncated = NewTable(engine().NewStorageId());
  UseTable(truncated);
  ASSERT_TRUE(engine().SweepAll().ok());
  const StorageUsage swept = UsageWhen([&](const StorageUsage& usage) { return usage.free_pages > needed; });
  EXPECT_GT(swept.free_pages, needed);
  EXPECT_LT(swept.free_pages, swept.pages);
}

}  // namespace
}  // namespace widerow
