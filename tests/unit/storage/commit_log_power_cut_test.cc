// A power cut may keep or lose any data that was not synced. All acknowledged groups must be replayed, whole and in
// order. A group that one start has dropped never comes back. After each start the log continues until the next crash.
#include "commit_log_test_support.h"

namespace widerow {
namespace {

using namespace storage_test;

enum class SyncPattern { kEachGroup, kNowAndThen, kNever };

struct PowerCutRun {
  PowerCutRun(uint64_t seed, SyncPattern pattern) : pattern(pattern), random(seed), harness(seed * 7 + 1) {}

  size_t Below(size_t bound) { return random() % bound; }

  void Work(size_t steps) {
    for (size_t i = 0; i < steps; ++i) {
      // There are few sizes, and some fill whole pages. So old records of dropped groups often begin exactly where a
      // new record ends.
      static constexpr size_t kSizes[] = {20, 440, 440, 1000, 4096 - 64, 4096 - 64, 9000};
      const size_t size = Below(40) == 0 ? 50'000 : kSizes[Below(std::size(kSizes))];
      ASSERT_TRUE(harness.Append(size, 1 + Below(3)).ok());
      if (pattern == SyncPattern::kEachGroup || (pattern == SyncPattern::kNowAndThen && Below(6) == 0)) {
        ASSERT_TRUE(harness.Sync().ok());
      }
      const bool spare = Below(8) == 0;
      ASSERT_TRUE(!spare || harness.log->PrepareSpare().ok());
      if (pattern != SyncPattern::kNever && Below(10) == 0) Fold();
    }
  }

  void Fold() {
    const std::vector<Group> groups = harness.Unfolded();
    if (groups.empty()) return;
    uint64_t through = groups[Below(groups.size())].sequence;
    if (Below(2) == 0) through = groups.back().sequence;
    through = std::min(through, harness.synced_through);
    harness.Fold(through);
    const bool crash_between = Below(4) == 0;
    ASSERT_TRUE(crash_between || harness.log->Release(harness.folded_through).ok());
  }

  void Reopen() {
    const size_t way = Below(8);
    ASSERT_TRUE(way != 0 || harness.log->Close().ok());
    bool all_there = way <= 1;  // The log was closed, or the process was killed while the machine kept running.
    harness.log.reset();
    if (!all_there || (way == 0 && Below(2) == 0)) harness.files.LosePower();
    if (Below(3) == 0 && StartIsCutOff()) {
      if (Below(4) != 0) {
        harness.files.LosePower();
        all_there = way == 0;
      }
    }
    const Status opened = harness.log == nullptr ? harness.Open() : OkStatus();
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    std::vector<Group> expected = harness.Unfolded();
    ASSERT_LE(harness.replayed.size(), expected.size());
    const size_t kept = harness.replayed.size();
    const bool dropped = kept < expected.size();
    ASSERT_FALSE(dropped && all_there);
    ASSERT_FALSE(dropped && expected[kept].sequence <= harness.synced_through) << "an acknowledged group is lost";
    expected.resize(kept);
    ASSERT_EQ(harness.replayed, expected);
    harness.appended = expected;
    const uint64_t last = expected.empty() ? harness.folded_through : expected.back().sequence;
    ASSERT_EQ(harness.log->synced_through(), last);
    harness.synced_through = last;  // Opening the log has synced the replayed groups.
  }

  // Makes a start fail after some calls. Of the bytes that it has written, some are on the disk, some are not, and some
  // are torn.
  bool StartIsCutOff() {
    harness.files.FailAt(1 + Below(70), std::errc::io_error, true);
    const bool cut_off = !harness.Open().ok();
    harness.files.FailAt(0, {}, false);
    return cut_off;
  }

  const SyncPattern pattern;
  std::mt19937_64 random;
  LogHarness harness;
};

class CommitLogPowerCutTest : public testing::TestWithParam<SyncPattern> {};

TEST_P(CommitLogPowerCutTest, AcknowledgedGroupsStayAndDroppedOnesStayAway) {
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PowerCutRun run(seed, GetParam());
    ASSERT_TRUE(run.harness.Open().ok());
    for (int crash = 0; crash < 6; ++crash) {
      run.Work(run.Below(5) == 0 ? 0 : run.Below(30));
      if (testing::Test::HasFatalFailure()) return;
      run.Reopen();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

std::string PatternName(const testing::TestParamInfo<SyncPattern>& info) {
  static constexpr const char* kNames[] = {"SyncAfterEachGroup", "SyncNowAndThen", "NoSync"};
  return kNames[static_cast<size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Patterns, CommitLogPowerCutTest,
                         testing::Values(SyncPattern::kEachGroup, SyncPattern::kNowAndThen, SyncPattern::kNever),
                         PatternName);

// A start is cut off while it makes the log. The next start finds a list in the system's cache, and data.mdb gets the
// log's id. After that, a power cut must not remove the list.
TEST(CommitLogStartTest, AListThatACutOffStartHasLeftIsMadeDurable) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    for (size_t call = 1; call <= 40; ++call) {
      LogHarness harness(seed);
      harness.files.FailAt(call, std::errc::io_error, true);
      if (harness.Open().ok() && harness.Append(100).ok()) break;
      harness.appended.clear();
      harness.files.FailAt(0, {}, false);
      ASSERT_TRUE(harness.Open().ok());
      harness.log.reset();
      harness.files.LosePower();
      const Status opened = harness.Open();
      ASSERT_TRUE(opened.ok()) << "seed " << seed << ", call " << call << ": " << opened.error().message;
    }
  }
}

}  // namespace
}  // namespace widerow
