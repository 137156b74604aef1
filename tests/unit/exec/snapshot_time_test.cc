// A snapshot shows the values that had not expired when it was opened. So do the further pages of one long answer.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

constexpr int64_t kSecond = 1'000'000;

class SnapshotTimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto storage = OpenLmdbEngine({.directory = directory_.path(), .map_bytes = uint64_t{1} << 34, .clock = clock_});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage));
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (p int, c int, v int, PRIMARY KEY (p, c))");
    Run("CREATE MATERIALIZED VIEW ks.by_v AS SELECT * FROM ks.t WHERE p IS NOT NULL AND c IS NOT NULL AND v IS NOT "
        "NULL "
        "PRIMARY KEY (v, p, c)");
    for (const char* c : {"1", "2", "3"})
      Run("INSERT INTO ks.t (p, c, v) VALUES (1, " + std::string(c) + ", 7) USING TTL 2");
  }
  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  void Pass(int64_t micros) { clock_->Set(clock_->NowMicros() + micros); }
  Outcome Read(const std::string& text, RequestParameters parameters) {
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message;
    return {.result = RowsPage()};
  }
  uint64_t RowsOf(const std::string& text, const SnapshotPtr& snapshot) {
    return std::get<RowsPage>(Read(text, {.snapshot = snapshot}).result).row_count;
  }

  ScratchDirectory directory_;
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(1'700'000'000 * kSecond);
  std::unique_ptr<Engine> engine_;
};

TEST_F(SnapshotTimeTest, ValuesExpireByTheTimeOfTheSnapshot) {
  const SnapshotPtr before = engine_->OpenSnapshot().value();
  Pass(5 * kSecond);
  const SnapshotPtr after = engine_->OpenSnapshot().value();
  for (const bool folded : {false, true}) {
    if (folded) { ASSERT_TRUE(engine_->Flush().ok()); }
    for (const char* select :
         {"SELECT * FROM ks.t", "SELECT * FROM ks.t WHERE p = 1", "SELECT * FROM ks.by_v WHERE v = 7"}) {
      EXPECT_EQ(RowsOf(select, before), 3u) << select;
      EXPECT_EQ(RowsOf(select, after), 0u) << select;
      EXPECT_EQ(RowsOf(select, nullptr), 0u) << select;
    }
    EXPECT_EQ(RowsOf("SELECT * FROM ks.t WHERE p = 1 AND c = 2", before), 1u);
  }
}

TEST_F(SnapshotTimeTest, PagesOfOneAnswerHaveOneTime) {
  const std::string select = "SELECT current_timestamp(), c FROM ks.t";
  RequestParameters parameters{.page_rows = 2, .keep_moment = true};
  const Outcome first = Read(select, parameters);
  ASSERT_NE(first.moment, nullptr);
  Pass(5 * kSecond);
  parameters.paging_state = std::get<RowsPage>(first.result).paging_state;
  parameters.snapshot = first.moment;
  const Outcome second = Read(select, parameters);
  const auto time_of = [](const Outcome& outcome) {
    std::vector<ValueView> row;
    PageReader reader(std::get<RowsPage>(outcome.result));
    return reader.Next(row) ? Bytes(*row[0]) : Bytes("no row");
  };
  EXPECT_EQ(time_of(second), time_of(first));
  EXPECT_EQ(std::get<RowsPage>(second.result).row_count, 1u);
}

}  // namespace
}  // namespace widerow
