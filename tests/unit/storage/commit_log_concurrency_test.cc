// Several threads use one commit log: Sync, Release and PrepareSpare run while another thread appends.
// ThreadSanitizer runs these tests by --gtest_filter=*Concurrency*.
#include <thread>

#include "storage/log/commit_log.h"
#include "storage/log/periodic_sync.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using storage_test::TempDirectory;

class CommitLogConcurrencyTest : public testing::Test {
 protected:
  static Bytes BodyOf(uint64_t sequence) { return Bytes(sequence * 37 % 3000, static_cast<char>('a' + sequence % 26)); }

  const TempDirectory root_;
  const CommitLogOptions options_{
      .directory = root_.path() / "log", .first_segment_bytes = 16384, .segment_bytes_max = 65536};
};

TEST_F(CommitLogConcurrencyTest, SyncReleaseAndSparesBesideAppend) {
  constexpr uint64_t kGroups = 3000;
  auto opened = CommitLog::Open(options_, 0, [](const LogGroup&) { return OkStatus(); });
  ASSERT_TRUE(opened.ok());
  CommitLog& log = **opened;
  std::atomic<uint64_t> appended{0}, folded{0};
  std::atomic<bool> done{false};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (!done) {
          const uint64_t before = appended;
          ASSERT_TRUE(log.Sync().ok());
          ASSERT_GE(log.synced_through(), before);
        }
      });
    }
    threads.emplace_back([&] {
      while (!done) {
        // This thread releases groups as a fold does. It stays a little behind the durable groups.
        const uint64_t synced = log.synced_through();
        const uint64_t through = synced > 40 ? synced - 40 : 0;
        folded = through;
        ASSERT_TRUE(log.Release(through).ok());
        ASSERT_GT(log.bytes() + 1, 0u);
        std::this_thread::yield();
      }
    });
    threads.emplace_back([&] {
      while (!done) {
        ASSERT_TRUE(log.PrepareSpare().ok());
        std::this_thread::yield();
      }
    });
    for (uint64_t sequence = 1; sequence <= kGroups; ++sequence) {
      const Bytes body = BodyOf(sequence);
      const ByteView part = body;
      ASSERT_TRUE(log.Append(sequence, 0, std::span(&part, 1)).ok());
      appended = sequence;
    }
    done = true;
  }
  ASSERT_TRUE(log.Sync().ok());
  EXPECT_EQ(log.synced_through(), kGroups);
  opened->reset();
  uint64_t next = folded + 1;
  auto again = CommitLog::Open(options_, folded, [&](const LogGroup& group) {
    EXPECT_EQ(group.last_sequence, next++);
    EXPECT_EQ(group.body, BodyOf(group.last_sequence));
    return OkStatus();
  });
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(next, kGroups + 1);
}

// In the durability mode `periodic`, a thread of the log syncs every few milliseconds. It needs no other thread of the
// engine, so a long fold does not delay it.
TEST(PeriodicSyncConcurrencyTest, GroupsBecomeDurableInTheBackground) {
  const TempDirectory root;
  auto log = CommitLog::Open({.directory = root.path() / "log"}, 0, [](const LogGroup&) { return OkStatus(); });
  ASSERT_TRUE(log.ok());
  const PeriodicSync sync(**log, 1, {});
  for (uint64_t sequence = 1; sequence <= 20; ++sequence) {
    const std::vector<ByteView> parts = {"body"};
    ASSERT_TRUE((*log)->Append(sequence, 1, parts).ok());
    while ((*log)->synced_through() < sequence) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace
}  // namespace widerow
