// Each call of the file system fails in turn. No acknowledged group is lost, a failed sync is not tried again, and
// after a full disk the log works again.
#include "commit_log_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

// One run of the log, in which a call may fail. It remembers which groups the log has acknowledged.
class FailureRun {
 public:
  explicit FailureRun(uint64_t seed) : harness_(seed) {}

  LogHarness& harness() { return harness_; }

  // Opens the log, replays and writes groups, and releases some of them. Does this twice, so that the second round
  // finds old records. Stops at the first error that breaks the log. After a full disk, which does not break the log,
  // the run continues.
  void Work() {
    for (int generation = 0; generation < 2; ++generation) {
      if (!harness_.Open().ok()) return;
      TakeReplayed();
      for (int i = 0; i < 24; ++i) {
        if (!Append(i % 6 == 5 ? 9000 : 700)) return;
        if (i % 3 == 0 && !harness_.Sync().ok()) return Broken();
        if (i % 5 == 0) (void)harness_.log->PrepareSpare();  // If PrepareSpare fails, the log still works.
        if (i % 8 == 7) {
          harness_.Fold(std::min(harness_.synced_through, harness_.appended[harness_.appended.size() / 2].sequence));
          ASSERT_TRUE(harness_.log->Release(harness_.folded_through).ok());
        }
      }
      if (!(generation == 0 ? harness_.Sync() : Close()).ok()) return harness_.log->broken() ? Broken() : void();
      harness_.synced_through = harness_.appended.back().sequence;
    }
  }

  // Simulates a crash and then a start without failures.
  void Recover(bool lose_power) {
    harness_.files.FailAt(0, {}, false);
    harness_.log.reset();
    if (lose_power) harness_.files.LosePower();
    const Status opened = harness_.Open();
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    TakeReplayed();
    ASSERT_TRUE(harness_.Append(700).ok());
    ASSERT_TRUE(harness_.Sync().ok());
    harness_.log.reset();
    harness_.files.LosePower();
    ASSERT_TRUE(harness_.Open().ok());
    ASSERT_EQ(harness_.replayed, harness_.Unfolded());
  }

 private:
  // Closes the log. If the disk is full, tries once more.
  Status Close() {
    Status closed = harness_.log->Close();
    if (!closed.ok() && !harness_.log->broken()) closed = harness_.log->Close();
    return closed;
  }
  bool Append(size_t size) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (harness_.Append(size).ok()) return true;
      if (harness_.log->broken()) {
        Broken();
        return false;
      }
    }
    return false;  // The disk is still full.
  }

  void Broken() {
    EXPECT_TRUE(harness_.log->broken());
    const size_t calls = harness_.files.calls();
    const Status first = harness_.log->Sync();
    ASSERT_FALSE(first.ok());
    const Status append = harness_.Append(10);
    ASSERT_FALSE(append.ok());
    EXPECT_EQ(append.error().message, first.error().message);
    EXPECT_FALSE(harness_.log->Close().ok());
    EXPECT_EQ(harness_.files.calls(), calls) << "a broken log touches nothing";
  }

  // Checks the replayed groups. Each acknowledged group must be among them. A group whose Append failed may be among
  // them, but only as a whole.
  void TakeReplayed() {
    const std::vector<Group> expected = harness_.Unfolded();
    size_t same = 0;
    while (same < expected.size() && same < harness_.replayed.size() && expected[same] == harness_.replayed[same])
      ++same;
    ASSERT_LE(harness_.replayed.size(), same + 1) << "something between or behind what was appended";
    const bool lost = same < expected.size() && expected[same].sequence <= harness_.synced_through;
    ASSERT_FALSE(lost) << expected[same];
    harness_.appended = harness_.replayed;
    if (!harness_.replayed.empty()) harness_.synced_through = harness_.replayed.back().sequence;
  }

  LogHarness harness_;
};

struct Failure {
  std::errc error;
  bool from_then_on;
};

class CommitLogFailureTest : public testing::TestWithParam<Failure> {};

TEST_P(CommitLogFailureTest, AtEveryCall) {
  FailureRun undisturbed(1);
  undisturbed.Work();
  const size_t calls = undisturbed.harness().files.calls();
  ASSERT_GT(calls, 100u);
  for (size_t nth = 1; nth <= calls; ++nth) {
    for (uint64_t seed = 1; seed <= 16; ++seed) {
      SCOPED_TRACE("call " + std::to_string(nth) + " seed " + std::to_string(seed));
      FailureRun run(seed);
      run.harness().files.FailAt(nth, GetParam().error, GetParam().from_then_on);
      run.Work();
      EXPECT_TRUE(run.harness().files.has_failed() || nth > calls - 40);
      run.Recover(seed % 4 != 0);
      if (HasFailure()) return;
    }
  }
}

std::string FailureName(const testing::TestParamInfo<Failure>& info) {
  const std::string error = info.param.error == std::errc::io_error ? "Eio" : "Enospc";
  return error + (info.param.from_then_on ? "FromThenOn" : "Once");
}

INSTANTIATE_TEST_SUITE_P(Errors, CommitLogFailureTest,
                         testing::Values(Failure{std::errc::io_error, false}, Failure{std::errc::io_error, true},
                                         Failure{std::errc::no_space_on_device, false},
                                         Failure{std::errc::no_space_on_device, true}),
                         FailureName);

class CommitLogErrorTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(harness_.Open().ok());
    ASSERT_TRUE(harness_.Append(100).ok());
    ASSERT_TRUE(harness_.Sync().ok());
  }
  LogHarness harness_{1};
};

TEST_F(CommitLogErrorTest, AFullDiskBreaksNothing) {
  harness_.files.FailAt(1, std::errc::no_space_on_device, false);
  const Status appended = harness_.Append(700);
  ASSERT_FALSE(appended.ok());
  EXPECT_THAT(appended.error().message, testing::HasSubstr("The commit log failed while writing '"));
  EXPECT_THAT(appended.error().hint, testing::HasSubstr("free space"));
  EXPECT_FALSE(harness_.log->broken());
  ASSERT_TRUE(harness_.Append(300).ok());
  ASSERT_TRUE(harness_.Sync().ok());
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

// After a failed write, the next group goes into another segment. A start must not take the remains of the failed write
// for a group that comes before the next group.
TEST(CommitLogFullDiskTest, TheFailedGroupIsNotFollowedByOthers) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    LogHarness harness(seed);
    ASSERT_TRUE(harness.Open().ok());
    ASSERT_TRUE(harness.Append(100).ok());
    harness.files.FailAt(1, std::errc::no_space_on_device, false);
    ASSERT_FALSE(harness.Append(700).ok());
    ASSERT_TRUE(harness.Append(9000).ok());
    ASSERT_TRUE(harness.Sync().ok());
    harness.log.reset();
    harness.files.LosePower();
    ASSERT_TRUE(harness.Open().ok());
    ASSERT_EQ(harness.replayed, harness.appended);
  }
}

TEST_F(CommitLogErrorTest, AFullDiskWhileASegmentIsMade) {
  const std::vector<std::string> names = harness_.files.Segments();
  for (size_t nth = 1; nth <= 6; ++nth) {
    harness_.files.FailAt(nth, std::errc::no_space_on_device, false);
    ASSERT_FALSE(harness_.Append(20'000).ok()) << nth;
    EXPECT_FALSE(harness_.log->broken());
    EXPECT_EQ(harness_.files.Segments(), names) << "what was made of it is removed";
  }
  harness_.files.FailAt(0, {}, false);
  ASSERT_TRUE(harness_.Append(20'000).ok());
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

// The list cannot be stored because the disk is full. The new segment stays, because a part of the new list, with the
// name of this segment, may be on the disk. The next attempt uses this segment and makes no other one.
TEST_F(CommitLogErrorTest, AFullDiskWhileTheListIsStored) {
  const size_t segments = harness_.files.Segments().size();
  // Calls before the segment is complete: when one of them fails, the segment is removed.
  for (size_t nth = 1; harness_.files.Segments().size() == segments; ++nth) {
    harness_.files.FailAt(nth, std::errc::no_space_on_device, false);
    ASSERT_FALSE(harness_.Append(20'000).ok()) << nth;
  }
  // The two calls that store the list of segments: its write and its sync.
  for (const size_t nth : {1, 2, 1, 2}) {
    harness_.files.FailAt(nth, std::errc::no_space_on_device, false);
    ASSERT_FALSE(harness_.Append(20'000).ok()) << nth;
    EXPECT_FALSE(harness_.log->broken());
    EXPECT_EQ(harness_.files.Segments().size(), segments + 1);
  }
  harness_.files.FailAt(0, {}, false);
  ASSERT_TRUE(harness_.Append(20'000).ok());
  EXPECT_EQ(harness_.files.Segments().size(), segments + 1);
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

TEST_F(CommitLogErrorTest, AFullDiskWhileTheLogIsClosed) {
  // Close() first writes the mark that says which groups are folded. This call fails.
  harness_.files.FailAt(1, std::errc::no_space_on_device, false);
  EXPECT_FALSE(harness_.log->Close().ok());
  EXPECT_FALSE(harness_.log->broken());
  EXPECT_TRUE(harness_.log->Close().ok());
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

// Connections may use all file descriptors for a while. Then a new segment cannot be made, but it can be made later.
TEST_F(CommitLogErrorTest, ASegmentThatFindsNoDescriptorIsMadeLater) {
  const std::vector<std::string> names = harness_.files.Segments();
  for (const std::errc error : {std::errc::too_many_files_open, std::errc::too_many_files_open_in_system}) {
    harness_.files.FailAt(1, error, true);
    for (int attempt = 0; attempt < 3; ++attempt) {
      const Status appended = harness_.Append(20'000);
      ASSERT_FALSE(appended.ok());
      EXPECT_THAT(appended.error().hint, testing::HasSubstr("limit of open files"));
      EXPECT_FALSE(harness_.log->broken());
    }
    EXPECT_EQ(harness_.files.Segments(), names);
    harness_.files.FailAt(0, {}, false);
    ASSERT_TRUE(harness_.Append(100).ok()) << "what fits into the current segment";
  }
  ASSERT_TRUE(harness_.Append(20'000).ok());
  ASSERT_TRUE(harness_.Sync().ok());
  harness_.log.reset();
  harness_.files.LosePower();
  ASSERT_TRUE(harness_.Open().ok());
  EXPECT_EQ(harness_.replayed, harness_.appended);
}

TEST_F(CommitLogErrorTest, AFailedSyncIsNeverTriedAgain) {
  for (const std::errc error : {std::errc::io_error, std::errc::no_space_on_device}) {
    ASSERT_TRUE(harness_.Open().ok());
    ASSERT_TRUE(harness_.Append(100).ok());
    const uint64_t before = harness_.log->synced_through();
    harness_.files.FailAt(1, error, false);
    ASSERT_FALSE(harness_.Sync().ok());
    EXPECT_TRUE(harness_.log->broken());
    EXPECT_FALSE(harness_.Sync().ok());
    EXPECT_FALSE(harness_.Append(10).ok());
    EXPECT_FALSE(harness_.log->PrepareSpare().ok());
    EXPECT_EQ(harness_.log->synced_through(), before);
    harness_.appended.pop_back();
    harness_.Fold(harness_.synced_through);
    harness_.log.reset();
    harness_.files.LosePower();
  }
}

// A sync fails, and the process starts again. The kernel now treats pages as written that are not on the disk. If the
// start only synced again, it would replay a group that the next power cut removes. So the start writes the group
// again.
TEST(CommitLogFailedSyncTest, WhatAStartHandsOutIsDurable) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    LogHarness harness(seed);
    ASSERT_TRUE(harness.Open().ok());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(harness.Append(900).ok());
    harness.files.FailAt(1, std::errc::io_error, false);
    ASSERT_FALSE(harness.Sync().ok());
    ASSERT_TRUE(harness.Open().ok());  // Only the process starts again; the machine keeps running.
    ASSERT_EQ(harness.replayed, harness.appended);
    harness.log.reset();
    harness.files.LosePower();
    ASSERT_TRUE(harness.Open().ok());
    ASSERT_EQ(harness.replayed, harness.appended);
  }
}

}  // namespace
}  // namespace widerow
