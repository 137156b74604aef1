// Tests the limits of a SELECT that reads for a long time (exec/session/read_watch.h). An answer without pages fails. A
// page ends early, and no rows are lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exec/select/show_rows.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr int64_t kStartSeconds = 1'700'000'000;

// An engine with tables in which a page can end in different places: inside a partition, between partitions, and among
// deleted or expired rows.
class Data {
 public:
  explicit Data(const ReadLimits& reads) {
    clock_ = std::make_shared<ManualClock>(kStartSeconds * 1'000'000);
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .clock = clock_,
                                   .durability = Durability::kNone});
    EXPECT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{}, EngineOptions{.reads = reads});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  void Fill() {
    Run("CREATE TABLE ks.t (p int, c int, v int, s int static, PRIMARY KEY (p, c))");
    Run("CREATE INDEX ON ks.t (v)");
    Run("CREATE TABLE ks.k (p int, c int, v int, PRIMARY KEY (p, c)) PARTITION BY KEY (p) PARTITIONS 4");
    Run("CREATE TABLE ks.d (b int GENERATED ALWAYS AS (bucket(ts, 4)), ts int, v int, PRIMARY KEY ((b), "
        "ts))");
    Run("CREATE TABLE ks.b (b int GENERATED ALWAYS AS (bucket(ts, 4)), ts int, v int, PRIMARY KEY ((b), ts))");
    const auto row = [](int p, int c, const char* more = "") {
      const std::string place = "(" + std::to_string(p) + ", " + std::to_string(c) + ", " + std::to_string(c % 3) + ")";
      return "INSERT INTO ks.t (p, c, v) VALUES " + place + more;
    };
    std::vector<std::string> inserts;
    for (int c = 0; c < 2'700; ++c) {
      for (int p = 0; p < 2; ++p) inserts.push_back(row(p, c));
      inserts.push_back("INSERT INTO ks.k (p, c, v) VALUES (" + std::to_string(c / 5) + ", " + std::to_string(c) +
                        ", 1)");
      inserts.push_back("INSERT INTO ks.b (ts, v) VALUES (" + std::to_string(c) + ", 1)");
      // In partitions 101 and 103, a live row follows the expired or deleted rows. Partitions 100 and 104 have a static
      // value and no live row.
      for (int p = 100; p < 102; ++p) inserts.push_back(row(p, c, " USING TTL 10"));
      for (int p = 103; p < 106; ++p)
        inserts.push_back("DELETE FROM ks.t WHERE p = " + std::to_string(p) + " AND c = " + std::to_string(c));
      const std::string far = std::to_string(10'000 + c);
      inserts.push_back("DELETE FROM ks.k WHERE p = " + far + " AND c = " + far);
      inserts.push_back("DELETE FROM ks.b WHERE ts = " + far);
    }
    for (int p = 2; p < 50; ++p) {
      inserts.push_back("INSERT INTO ks.t (p, s) VALUES (" + std::to_string(p) + ", 1)");
      for (int c = 0; c < p % 30; ++c) inserts.push_back(row(p, c));
    }
    for (int p = 100; p < 102; ++p) inserts.push_back("INSERT INTO ks.t (p, s) VALUES (" + std::to_string(p) + ", 2)");
    inserts.push_back("INSERT INTO ks.t (p, s) VALUES (104, 2)");
    for (const int p : {101, 103}) inserts.push_back(row(p, 5'000));
    inserts.push_back("INSERT INTO ks.b (ts, v) VALUES (20000, 1)");
    // Each bucket has more dead rows than a read passes before it checks its limits.
    for (int c = 0; c < 6'000; ++c) inserts.push_back("DELETE FROM ks.d WHERE ts = " + std::to_string(c));
    inserts.push_back("INSERT INTO ks.d (ts, v) VALUES (20000, 1)");
    constexpr size_t kAtOnce = 500;
    for (size_t first = 0; first < inserts.size(); first += kAtOnce) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (size_t i = first; i < std::min(first + kAtOnce, inserts.size()); ++i) batch += inserts[i] + "; ";
      Run(batch + "APPLY BATCH");
    }
    clock_->Set((kStartSeconds + 100) * 1'000'000);
  }

  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  Result<Outcome> Page(const std::string& text, uint32_t page_rows, const Bytes& state = {}) {
    RequestParameters parameters;
    parameters.page_rows = page_rows;
    parameters.paging_state = state;
    return engine_->Execute(text, parameters);
  }

  struct Answer {
    Bytes rows;
    uint32_t count = 0, pages = 0;
  };
  // Reads all pages of the statement and puts them together.
  Answer All(const std::string& text, uint32_t page_rows) {
    Answer answer;
    Bytes state;
    do {
      Result<Outcome> outcome = Page(text, page_rows, state);
      EXPECT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
      if (!outcome.ok()) return answer;
      const auto& page = std::get<RowsPage>(outcome->result);
      EXPECT_TRUE(page_rows == 0 || page.row_count <= page_rows);
      answer.rows += page.body;
      answer.count += page.row_count;
      ++answer.pages;
      state = page.paging_state;
    } while (!state.empty());
    return answer;
  }
  // Returns the error's message and hint as one text.
  std::string ErrorOf(const std::string& text, uint32_t page_rows, ErrorCode code) {
    const Result<Outcome> outcome = Page(text, page_rows);
    if (outcome.ok()) return "no error";
    EXPECT_EQ(outcome.error().code, code) << text;
    return outcome.error().message + "\n" + outcome.error().hint;
  }
  Engine& engine() { return *engine_; }

 private:
  ScratchDirectory directory_;
  std::shared_ptr<ManualClock> clock_;
  std::unique_ptr<Engine> engine_;
};

const ReadLimits kNoTime{.age_max = milliseconds(0)};

TEST(ReadLimitsTest, PagesThatEndEarlyGiveTheSameRows) {
  Data usual({}), hasty(kNoTime);
  usual.Fill();
  hasty.Fill();
  uint32_t early = 0;
  for (const std::string text : {"SELECT * FROM ks.t",
                                 "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING",
                                 "SELECT * FROM ks.t WHERE v = 7 ALLOW FILTERING",
                                 "SELECT * FROM ks.t WHERE c = 2699 ALLOW FILTERING",
                                 "SELECT * FROM ks.t WHERE c > 2690 ALLOW FILTERING",
                                 "SELECT * FROM ks.t WHERE s = 2 ALLOW FILTERING",
                                 "SELECT * FROM ks.t WHERE p = 1 ORDER BY c DESC",
                                 "SELECT * FROM ks.t WHERE p IN (0, 1, 5, 100, 101, 102)",
                                 "SELECT * FROM ks.t WHERE p IN (100, 103, 104, 105)",
                                 "SELECT * FROM ks.t WHERE p = 103 ORDER BY c DESC",
                                 "SELECT DISTINCT p, s FROM ks.t WHERE p IN (103, 104, 105)",
                                 "SELECT * FROM ks.t LIMIT 2500",
                                 "SELECT * FROM ks.t PER PARTITION LIMIT 1500",
                                 "SELECT * FROM ks.t WHERE v > 0 PER PARTITION LIMIT 1200 ALLOW FILTERING",
                                 "SELECT DISTINCT p, s FROM ks.t",
                                 "SELECT * FROM ks.t WHERE token(p) > -5000000000000000000 AND v < 2 ALLOW FILTERING",
                                 "SELECT * FROM ks.k",
                                 "SELECT * FROM ks.k WHERE p > 3 ORDER BY p DESC",
                                 "SELECT * FROM ks.k WHERE c = 2500 ALLOW FILTERING",
                                 "SELECT * FROM ks.b WHERE ts >= 0",
                                 "SELECT * FROM ks.d WHERE ts >= 0",
                                 "SELECT * FROM ks.d WHERE ts >= 0 ORDER BY ts DESC",
                                 "SELECT * FROM ks.b WHERE ts > 3 ORDER BY ts DESC",
                                 "SELECT * FROM ks.b WHERE ts >= 0 AND v = 2 ALLOW FILTERING",
                                 "SELECT * FROM ks.b WHERE ts >= 0 PER PARTITION LIMIT 300"}) {
    const Data::Answer whole = usual.All(text, 0);
    for (const uint32_t page_rows : {700u, 5'000u}) {
      const Data::Answer pages = hasty.All(text, page_rows);
      EXPECT_EQ(pages.count, whole.count) << text;
      EXPECT_TRUE(pages.rows == whole.rows) << text << ": other rows";
      early += pages.pages > usual.All(text, page_rows).pages ? 1 : 0;
    }
  }
  EXPECT_GT(early, 10u);
}

TEST(ReadLimitsTest, WholeAnswersFailWithTheReason) {
  Data data(kNoTime);
  data.Fill();
  for (const std::string text :
       {"SELECT * FROM ks.t", "SELECT * FROM ks.b WHERE ts >= 0", "SELECT count(*) FROM ks.t",
        "SELECT max(v) FROM ks.b WHERE ts >= 0", "SELECT p, count(*) FROM ks.t GROUP BY p",
        "SELECT * FROM ks.t WHERE p IN (0, 1) ORDER BY c", "SELECT * FROM ks.d WHERE ts >= 0 AND ts < 10000"}) {
    const std::string error = data.ErrorOf(text, 0, ErrorCode::kReadTimeout);
    EXPECT_THAT(
        error,
        HasSubstr(
            "Operation timed out - received only 0 responses.\nthe SELECT has read the rows of one moment for 0 s"))
        << text;
    EXPECT_THAT(error, HasSubstr("--read-seconds-max")) << text;
  }
  EXPECT_THAT(data.ErrorOf("SELECT count(*) FROM ks.t", 5'000, ErrorCode::kReadTimeout), HasSubstr("timed out"));
  EXPECT_THAT(data.ErrorOf("SELECT p, count(*) FROM ks.t GROUP BY p", 5'000, ErrorCode::kReadTimeout),
              HasSubstr("timed out"));
  // The limits are checked every 1,000 rows. This SELECT reads fewer rows, so it never exceeds them.
  EXPECT_EQ(data.All("SELECT count(*) FROM ks.t WHERE p = 29", 0).count, 1u);
}

// Counts the rows of a SELECT. Calls `write` after the first row.
class Writes final : public RowViewer {
 public:
  explicit Writes(std::function<void()> write) : write_(std::move(write)) {}
  void Begin(const ResultColumnsPtr&) override {}
  bool Show(std::span<const ByteView>) override {
    if (rows_++ == 0) write_();
    return true;
  }
  int rows() const { return rows_; }

 private:
  const std::function<void()> write_;
  int rows_ = 0;
};

TEST(ReadLimitsTest, WhatAReadPinsIsBounded) {
  Data data({.age_max = milliseconds(60'000), .pinned_bytes_max = 1u << 20, .count_period = milliseconds(0)});
  data.Fill();
  ASSERT_TRUE(data.engine().Flush().ok());
  data.Run("CREATE TABLE ks.other (k int PRIMARY KEY, v text)");
  const PreparedPtr select = data.engine().Prepare("SELECT * FROM ks.k", "").value();
  Writes nothing([] {});
  ASSERT_TRUE(data.engine().ShowRows(*select, {}, nothing).ok());
  const std::string text(10'000, 'x');
  Writes much([&] {
    for (int i = 0; i < 200; ++i)
      data.Run("INSERT INTO ks.other (k, v) VALUES (" + std::to_string(i) + ", '" + text + "')");
    // This fold would free the memory of the rows, but the SELECT that is running still needs it.
    ASSERT_TRUE(data.engine().Flush().ok());
  });
  const Status shown = data.engine().ShowRows(*select, {}, much);
  ASSERT_FALSE(shown.ok());
  EXPECT_EQ(shown.error().code, ErrorCode::kReadFailure);
  EXPECT_THAT(shown.error().message, HasSubstr("Operation failed - received 0 responses and 1 failures"));
  EXPECT_THAT(shown.error().hint, HasSubstr("have left more than 1 MiB that only it still needs"));
  EXPECT_EQ(much.rows(), 1'000);  // The rows that were shown before the limits were first checked.
}

}  // namespace
}  // namespace widerow
