// Tests of the commit log without failures: it appends groups, replays them, and uses segments again.
#include "storage/log/commit_log.h"

#include "commit_log_test_support.h"
#include "storage_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;
using testing::HasSubstr;

class CommitLogTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(harness_.Open().ok()); }
  void Append(size_t count, size_t size) {
    for (size_t i = 0; i < count; ++i) ASSERT_TRUE(harness_.Append(size).ok());
  }
  void Sync() { ASSERT_TRUE(harness_.Sync().ok()); }
  void Release(uint64_t through) {
    harness_.Fold(through);
    ASSERT_TRUE(harness_.log->Release(through).ok());
  }
  void ExpectAllReplayed() {
    ASSERT_TRUE(harness_.Open().ok());
    EXPECT_EQ(harness_.replayed, harness_.Unfolded());
  }

  LogHarness harness_{1};
};

TEST_F(CommitLogTest, GroupsComeBackInOrder) {
  Append(3, 100);
  ASSERT_TRUE(harness_.Append(0, 5).ok());
  Append(40, 1000);
  Sync();
  EXPECT_EQ(harness_.log->synced_through(), harness_.appended.back().sequence);
  ExpectAllReplayed();
  EXPECT_EQ(harness_.log->synced_through(), harness_.appended.back().sequence);
}

TEST_F(CommitLogTest, AnEmptyBody) {
  ASSERT_TRUE(harness_.log->Append(1, -5, {}).ok());
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, (std::vector<Group>{{1, -5, ""}}));
}

TEST_F(CommitLogTest, OnlyGroupsBehindTheFoldAreReplayed) {
  Append(30, 1000);
  for (const uint64_t through : {1u, 17u, 29u, 30u, 40u}) {
    harness_.Fold(through);
    ExpectAllReplayed();
    EXPECT_EQ(harness_.log->synced_through(), std::max<uint64_t>(30, through));
  }
}

TEST_F(CommitLogTest, AnErrorOfTheReplayIsTheAnswer) {
  Append(3, 10);
  harness_.log.reset();
  CommitLogOptions options{.directory = "data/log", .files = &harness_.files};
  int calls = 0;
  const auto opened = CommitLog::Open(options, 0, [&](const LogGroup&) -> Status {
    if (++calls == 2) return InvalidError("no such table");
    return OkStatus();
  });
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message, "no such table");
  EXPECT_EQ(calls, 2);
}

TEST_F(CommitLogTest, OneWriteAGroupAndOneSyncCall) {
  Append(1, 10);
  Sync();
  const size_t calls = harness_.files.calls();
  ASSERT_TRUE(harness_.Append(2000).ok());
  EXPECT_EQ(harness_.files.calls(), calls + 1);
  Sync();
  EXPECT_EQ(harness_.files.calls(), calls + 2);
  Sync();
  EXPECT_EQ(harness_.files.calls(), calls + 2) << "nothing to sync";
}

TEST_F(CommitLogTest, SegmentsDoubleAndAreUsedAgain) {
  Append(100, 1000);
  Sync();
  std::vector<size_t> sizes;
  for (const std::string& name : harness_.files.Segments()) sizes.push_back(harness_.files.Content(name).size());
  std::sort(sizes.begin(), sizes.end());
  EXPECT_THAT(sizes, testing::ElementsAre(8192, 16384, 32768, 32768, 32768, 32768));
  EXPECT_EQ(harness_.log->bytes(), 8192u + 16384 + 4 * 32768);
  EXPECT_EQ(harness_.log->bytes_appended(), 100 * (64 + 1000));
  Release(harness_.appended.back().sequence);
  const std::vector<std::string> names = harness_.files.Segments();
  const size_t syncs = harness_.files.syncs();
  Append(80, 1000);
  EXPECT_EQ(harness_.files.Segments(), names);
  EXPECT_EQ(harness_.files.syncs(), syncs);
  ExpectAllReplayed();
}

// Each round writes over the records of earlier rounds. A start must not replay these old records.
TEST_F(CommitLogTest, OldUsesNeverComeBack) {
  for (int round = 0; round < 60; ++round) {
    Append(20 + round % 7, 900);
    Sync();
    if (round % 3 == 0) ExpectAllReplayed();
    Release(harness_.appended[harness_.appended.size() - 1 - round % 9].sequence);
    if (round % 4 == 0) ExpectAllReplayed();
  }
  EXPECT_LE(harness_.log->bytes(), 6u * 32768);
}

TEST_F(CommitLogTest, UnneededSegmentsGo) {
  Append(600, 1000);
  Sync();
  EXPECT_GE(harness_.log->bytes(), 600'000u);
  for (int round = 0; round < 100; ++round) {
    Release(harness_.appended.back().sequence);
    Append(40, 1000);
    Sync();
  }
  EXPECT_LE(harness_.log->bytes(), 5u * 32768);
  uint64_t bytes = 0;
  for (const std::string& name : harness_.files.Segments()) bytes += harness_.files.Content(name).size();
  EXPECT_EQ(bytes, harness_.log->bytes());
  ExpectAllReplayed();
}

TEST_F(CommitLogTest, ALargeGroupHasASegmentOfItsOwnSize) {
  Append(2, 100);
  Append(1, 200'000);
  Append(2, 100);
  Sync();
  EXPECT_GE(harness_.log->bytes(), 200'000u);
  ExpectAllReplayed();
  Append(1, 100);
  Sync();
  Release(harness_.appended.back().sequence);
  EXPECT_LT(harness_.log->bytes(), 100'000u) << "it is removed when it is not needed";
  ExpectAllReplayed();
}

TEST_F(CommitLogTest, AGroupMayFillASegmentToTheLastByte) {
  Append(1, 8192 - 4096 - 64);
  EXPECT_EQ(harness_.files.Segments().size(), 1u);
  Append(1, 16384 - 4096 - 64);
  EXPECT_EQ(harness_.files.Segments().size(), 2u);
  Append(1, 16384 - 4096 - 64 + 1);
  EXPECT_EQ(harness_.files.Segments().size(), 3u);
  ExpectAllReplayed();
}

TEST_F(CommitLogTest, TooLargeAGroupIsRefusedAndBreaksNothing) {
  const Bytes part(1 << 20, 'x');
  const std::vector<ByteView> parts(1025, part);
  const Status appended = harness_.log->Append(1, 1, parts);
  ASSERT_FALSE(appended.ok());
  EXPECT_THAT(appended.error().message, HasSubstr("1074790400 bytes"));
  Append(1, 10);
  ExpectAllReplayed();
}

TEST_F(CommitLogTest, ASpareIsMadeWhenTheSegmentIsHalfFull) {
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  EXPECT_EQ(harness_.log->bytes(), 8192u) << "before the first group";
  Append(1, 1000);
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  EXPECT_EQ(harness_.log->bytes(), 8192u);
  Append(1, 2000);
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  EXPECT_EQ(harness_.log->bytes(), 8192u + 16384);
  const size_t calls = harness_.files.calls();
  Append(1, 1000);
  EXPECT_EQ(harness_.files.calls(), calls + 1) << "Append need not make it";
}

TEST_F(CommitLogTest, ASpareIsAskedForOnceTheSegmentIsHalfFull) {
  Append(1, 1000);
  EXPECT_FALSE(harness_.log->TakeSpareWanted());
  Append(1, 2000);
  EXPECT_TRUE(harness_.log->TakeSpareWanted());
  Append(1, 10);
  EXPECT_FALSE(harness_.log->TakeSpareWanted()) << "it has been asked for";
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  const uint64_t bytes = harness_.log->bytes();
  Append(1, 2500);
  Append(1, 2500);
  EXPECT_EQ(harness_.log->bytes(), bytes) << "in the spare one";
  Sync();
  Release(harness_.appended.back().sequence);
  Append(1, 3000);
  EXPECT_TRUE(harness_.log->TakeSpareWanted()) << "the first one is free again, but too small to be the next";
  ASSERT_TRUE(harness_.log->PrepareSpare().ok());
  EXPECT_EQ(harness_.log->bytes(), bytes + 32768);
}

TEST(LargeSegmentTest, GoesToTheDiskInPieces) {
  LogHarness harness(1, 2 << 20, 2 << 20);
  ASSERT_TRUE(harness.Open().ok());
  ASSERT_TRUE(harness.log->PrepareSpare().ok());
  EXPECT_EQ(harness.log->bytes(), 2u << 20);
  EXPECT_EQ(harness.files.write_backs(), 16u);
}

TEST(LargeSegmentTest, APieceThatFailsLeavesNoSegmentAndBreaksNothing) {
  constexpr size_t kOpenAndPages = 1 + (128 << 10) / 4096;
  // The failing call writes the last page of a piece, sends the piece to the disk, or writes the next page.
  for (const size_t more : {0, 1, 2}) {
    LogHarness harness(1, 2 << 20, 2 << 20);
    ASSERT_TRUE(harness.Open().ok());
    harness.files.FailAt(kOpenAndPages + more, std::errc::io_error, false);
    EXPECT_FALSE(harness.log->PrepareSpare().ok());
    EXPECT_EQ(harness.files.write_backs(), more == 0 ? 0u : 1u);
    EXPECT_EQ(harness.log->bytes(), 0u);
    EXPECT_FALSE(harness.log->broken());
    harness.files.FailAt(0, std::errc::io_error, false);
    EXPECT_TRUE(harness.log->PrepareSpare().ok());
    EXPECT_EQ(harness.log->bytes(), 2u << 20);
  }
}

TEST_F(CommitLogTest, UnsyncedGroupsAreNotReleased) {
  Append(50, 1000);
  ASSERT_TRUE(harness_.log->Release(harness_.appended.back().sequence).ok());
  Append(50, 1000);
  ExpectAllReplayed();
}

TEST_F(CommitLogTest, ACloseSparesTheNextStartALookThroughAll) {
  Append(100, 1000);
  Sync();
  Release(harness_.appended.back().sequence);
  ASSERT_TRUE(harness_.log->Close().ok());
  const size_t segments = harness_.files.Segments().size();
  for (int i = 0; i < 3; ++i) {
    harness_.log.reset();
    const size_t calls = harness_.files.calls();
    ExpectAllReplayed();
    // A start makes these calls: 4 for the directory; open, 2 reads, write and sync for the list; open, size, header
    // and first record for each segment; read, write and sync for the mark.
    EXPECT_EQ(harness_.files.calls(), calls + 4 + 5 + 4 * segments + 3);
    EXPECT_EQ(harness_.log->synced_through(), 100u);
    ASSERT_TRUE(harness_.log->Close().ok());  // No group was appended, so the mark stays at its place.
  }
  ExpectAllReplayed();
  Append(3, 1000);
  ASSERT_TRUE(harness_.log->Close().ok());
  ExpectAllReplayed();
}

// Each use of a segment has a number, its epoch. The epoch of a dropped group is never given again. Otherwise an old
// record would seem to follow a new one. A start that searches the segments finds the greatest epoch there. A start
// after a Close finds it in the close mark.
TEST_F(CommitLogTest, EpochsOfDroppedGroupsAreNotGivenAgain) {
  for (const bool close : {false, true}) {
    SCOPED_TRACE(close);
    LogHarness log(1);
    ASSERT_TRUE(log.Open().ok());
    ASSERT_TRUE(log.Append(8192 - 64).ok());  // This group fills its segment.
    ASSERT_TRUE(log.Sync().ok());
    // Each of these records fills one page. So overwriting the first record with zeros changes no other record.
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(log.Append(4096 - 64).ok());
    log.log.reset();
    ASSERT_EQ(log.files.Segments().size(), 2u);
    log.files.Overwrite("segment-2", 4096, Bytes(64, '\0'));  // The first record of the segment did not reach the disk.
    log.appended.resize(1);
    ASSERT_TRUE(log.Open().ok());
    ASSERT_EQ(log.replayed, log.appended);
    if (close) {
      ASSERT_TRUE(log.log->Close().ok());
      ASSERT_TRUE(log.Open().ok());
    }
    // This group has the place, the length and the sequence number of the lost one.
    ASSERT_TRUE(log.Append(4096 - 64).ok());
    ASSERT_TRUE(log.Sync().ok());
    ASSERT_EQ(log.files.Segments().size(), 2u);
    ASSERT_TRUE(log.Open().ok());
    EXPECT_EQ(log.replayed, log.appended);
  }
}

TEST_F(CommitLogTest, ForeignFilesAreIgnored) {
  Append(2, 100);
  harness_.files.Create("notes.txt", "hello");
  harness_.files.Create("segment-x", "hello");
  harness_.files.Create("segment-07", "hello");
  ExpectAllReplayed();
  EXPECT_THAT(harness_.lines, testing::SizeIs(3));
  EXPECT_THAT(harness_.lines, testing::Each(HasSubstr("which is not a segment")));
  EXPECT_EQ(harness_.files.Content("notes.txt"), "hello");
}

TEST_F(CommitLogTest, ASegmentWhoseMakingWasCutOffIsRemoved) {
  Append(2, 100);
  harness_.files.Create("segment-2", Bytes(5000, '\0'));
  harness_.files.Create("segment-3", "");
  harness_.files.Create("segment-4", Bytes("WRLOGSEG") + Bytes(100, '\0'));
  ExpectAllReplayed();
  EXPECT_THAT(harness_.files.Segments(), testing::ElementsAre("segment-1"));
}

// When a log is closed after all groups were folded, it keeps only small segments.
TEST_F(CommitLogTest, ACloseAfterAFoldRemovesLargeSegments) {
  LogHarness log(1, 256 << 10, 8 << 20);
  ASSERT_TRUE(log.Open().ok());
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(log.Append(100'000).ok());
  ASSERT_TRUE(log.Sync().ok());
  ASSERT_TRUE(log.log->Close(59).ok());
  EXPECT_GE(log.log->bytes(), 4u << 20) << "a group is not folded";
  ASSERT_TRUE(log.Open().ok());
  EXPECT_EQ(log.replayed, log.appended);
  log.Fold(60);
  ASSERT_TRUE(log.log->Release(60).ok());
  ASSERT_TRUE(log.log->Close(60).ok());
  EXPECT_LE(log.log->bytes(), 2u << 20);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(log.Open().ok());
    EXPECT_TRUE(log.replayed.empty());
    ASSERT_TRUE(log.Append(300'000).ok());
    ASSERT_TRUE(log.Sync().ok());
    log.Fold(61 + i);
    ASSERT_TRUE(log.log->Close(61 + i).ok());
  }
}

TEST(CommitLogFilesTest, OnTheRealFileSystem) {
  const TempDirectory root;
  const CommitLogOptions options{
      .directory = root.path() / "log", .first_segment_bytes = 16384, .segment_bytes_max = 65536};
  std::vector<Group> appended, replayed;
  const auto replay = [&](const LogGroup& group) {
    replayed.push_back({group.last_sequence, group.last_timestamp, Bytes(group.body)});
    return OkStatus();
  };
  uint64_t folded = 0;
  for (uint64_t round = 0; round < 8; ++round) {
    replayed.clear();
    auto log = CommitLog::Open(options, folded, replay);
    ASSERT_TRUE(log.ok()) << log.error().message;
    std::erase_if(appended, [&](const Group& group) { return group.sequence <= folded; });
    ASSERT_EQ(replayed, appended);
    for (uint64_t i = 1; i <= 50; ++i) {
      const uint64_t sequence = round * 50 + i;
      appended.push_back({sequence, static_cast<int64_t>(i), Bytes(i * 97, static_cast<char>(sequence))});
      const ByteView body = appended.back().body;
      ASSERT_TRUE((*log)->Append(sequence, static_cast<int64_t>(i), std::span(&body, 1)).ok());
    }
    ASSERT_TRUE((*log)->Sync().ok());
    folded = round * 50 + 20;
    ASSERT_TRUE((*log)->Release(folded).ok());
    const bool crash = round % 2 == 0;
    ASSERT_TRUE(crash || (*log)->Close().ok());
  }
}

TEST(CommitLogFilesTest, WhatCannotBeOpenedIsSaid) {
  const CommitLogOptions options{.directory = "/proc/no-such-directory/log"};
  const auto log = CommitLog::Open(options, 0, [](const LogGroup&) { return OkStatus(); });
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message, HasSubstr("failed while creating '/proc/no-such-directory/log': No such file"));
}

}  // namespace
}  // namespace widerow
