// The process is killed while it writes. Then every answered write is stored, and every stored write is whole.
#include "storage_test_support.h"
#include "tests/unit/reporting_child.h"

namespace widerow {
namespace {

using namespace storage_test;

class CrashTest : public EngineFixture {
 protected:
  void SetUp() override {}

  // Writes rows 0, 1, 2, … for ever, each with a copy in a second partition. Reports each row after its answer.
  [[noreturn]] void WriteForEver(int report, int first) {
    Open();
    for (int i = first;; ++i) {
      const Bytes value(i % 7 == 0 ? 20'000 : 20, static_cast<char>('a' + i % 26));
      widerow::Write write;
      for (const char* key : {"one", "two"}) {
        write.mutation.push_back(Row(table_, key, Int(i), Insert(i + 1, {MakeCell(kA, i + 1, value)})));
      }
      if (!engine().Apply(std::move(write)).ok() || ::write(report, &i, sizeof i) != sizeof i) _exit(1);
    }
  }

  std::string Rows(const Bytes& key) {
    std::string text = ReadPartition(key);
    for (size_t at; (at = text.find(key + "/")) != std::string::npos;) text.erase(at, key.size());
    return text;
  }
};

TEST_F(CrashTest, EveryAnsweredWriteSurvivesAKill) {
  int answered = -1;
  for (int round = 0; round < 5; ++round) {
    ReportingChild child([&](int report) { WriteForEver(report, answered + 1); });
    int last = answered;
    for (int writes = 0; writes < 10 + 7 * round && child.Read(last);) ++writes;
    usleep(static_cast<useconds_t>(1'000 * round + 300));
    child.Kill();
    while (child.Read(last)) continue;
    ASSERT_GT(last, answered);
    answered = last;

    Open();
    const std::string one = Rows("one");
    const auto rows = std::count(one.begin(), one.end(), '\n');
    EXPECT_GE(rows, answered + 1) << "an answered write is missing";
    EXPECT_LE(rows, answered + 2) << "at most the one under way is there too";
    EXPECT_EQ(one, Rows("two")) << "a write is there whole or not at all";
    EXPECT_EQ(Stats()[0].rows, 2 * rows);
    answered = static_cast<int>(rows) - 1;
    engine_.reset();
  }
}

}  // namespace
}  // namespace widerow
