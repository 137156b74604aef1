// Pages of SELECT … ORDER BY an indexed column, while others write: each row that nobody changes comes exactly once,
// and the rows of all pages together are in order.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "base/text.h"
#include "exec/engine/engine.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Rows with p below kSteady are written once. The others change all the time. A steady row has a value in `v` unless p
// is a multiple of kWithout.
constexpr int kSteady = 3'000, kChanging = 1'000, kWithout = 29;

bool HasValue(int p) { return p % kWithout != 0; }

class OrderedPagesTest : public ::testing::Test {
 protected:
  OrderedPagesTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (p int PRIMARY KEY, v int, few int, half int)");
    for (const char* column : {"v", "few", "half"}) Run(StrCat("CREATE INDEX ON ks.t (", column, ") USING 'sai'"));
    for (int p = 0; p < kSteady; ++p) {
      const std::string value = HasValue(p) ? std::to_string(p * 7 % 500) : "null";
      Run(StrCat("INSERT INTO ks.t (p, v, few, half) VALUES (", p, ", ", value, ", ", p % 100, ", ", p % 2, ")"));
    }
    std::mt19937 random(1);
    for (int i = 0; i < kChanging; ++i) ChangeOne(random);
  }

  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }

  void ChangeOne(std::mt19937& random) {
    const auto below = [&](uint32_t end) { return std::to_string(random() % end); };
    const std::string p = std::to_string(kSteady + random() % kChanging);
    switch (random() % 4) {
      case 0: Run("DELETE FROM ks.t WHERE p = " + p); break;
      case 1: Run(StrCat("UPDATE ks.t SET v = null, half = ", below(2), " WHERE p = ", p)); break;
      default:
        Run(StrCat("INSERT INTO ks.t (p, v, few, half) VALUES (", p, ", ", below(500), ", ", below(100), ", ", below(2),
                   ")"));
    }
  }

  // Reads all pages of a SELECT with the condition `where`, sorted by v. Checks the order, and that the steady rows
  // with `is_wanted(p)` come once and no other steady rows come. `between` runs after each page.
  template <typename IsWanted, typename Between>
  void CheckPages(const std::string& where, bool descending, uint32_t page_rows, const IsWanted& is_wanted,
                  const Between& between) {
    const std::string text = StrCat("SELECT p, v FROM ks.t", where, " ORDER BY v", descending ? " DESC" : "");
    RequestParameters parameters{.page_rows = page_rows};
    std::set<int> seen;
    std::optional<int> last;
    bool in_nulls = false;
    do {
      const Result<Outcome> outcome = engine_->Execute(text, parameters);
      ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
      const auto& page = std::get<RowsPage>(outcome->result);
      PageReader reader(page);
      for (std::vector<ValueView> row; reader.Next(row);) {
        const int p = static_cast<int>(DecodeInteger(*row[0]));
        if (!row[1]) in_nulls = true;
        if (p < kSteady) { EXPECT_EQ(row[1].has_value(), HasValue(p)) << text; }
        if (row[1]) {
          const int value = static_cast<int>(DecodeInteger(*row[1]));
          EXPECT_FALSE(in_nulls) << text << ": a value behind rows without one";
          if (last) { EXPECT_TRUE(descending ? value <= *last : value >= *last) << text; }
          last = value;
        }
        if (p < kSteady) { EXPECT_TRUE(seen.insert(p).second) << text << ": row " << p << " came twice"; }
      }
      parameters.paging_state = page.paging_state;
      between();
    } while (!parameters.paging_state.empty());
    for (int p = 0; p < kSteady; ++p) EXPECT_EQ(seen.contains(p), is_wanted(p)) << text << ": row " << p;
  }

  // Checks pages of different sizes, in both directions. exec/derived/ordered_cursor.h has two ways to find rows, and
  // the conditions test both: if few rows meet a condition, the cursor gathers them, and otherwise it walks over the
  // entries of the index.
  template <typename Between>
  void CheckAll(const Between& between) {
    for (const uint32_t page_rows : {7u, 100u, 1'500u}) {
      for (const bool descending : {false, true}) {
        CheckPages(
            "", descending, page_rows, [](int) { return true; }, between);
        CheckPages(
            " WHERE few = 7", descending, page_rows, [](int p) { return p % 100 == 7; }, between);
        CheckPages(
            " WHERE half = 1", descending, page_rows, [](int p) { return p % 2 == 1; }, between);
        CheckPages(
            " WHERE v >= 100 AND half = 1", descending, page_rows,
            [](int p) { return p % 2 == 1 && HasValue(p) && p * 7 % 500 >= 100; }, between);
      }
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(OrderedPagesTest, AreCompleteWhenOthersWriteBetweenThem) {
  std::mt19937 random(2);
  CheckAll([&] {
    for (int i = 0; i < 3; ++i) ChangeOne(random);
  });
}

TEST_F(OrderedPagesTest, AreCompleteWhileAnotherThreadWrites) {
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (std::mt19937 random(3); !done;) ChangeOne(random);
  });
  CheckAll([] {});
  done = true;
  writer.join();
}

TEST_F(OrderedPagesTest, RowsOfManyPassedEntriesAreFound) {
  Run("CREATE TABLE ks.late (p int PRIMARY KEY, v int, few int)");
  for (const char* column : {"v", "few"}) Run(StrCat("CREATE INDEX ON ks.late (", column, ") USING 'sai'"));
  for (int p = 0; p < 5'000; ++p) Run(StrCat("INSERT INTO ks.late (p, v) VALUES (", p, ", ", p, ")"));
  for (int p = 5'000; p < 5'003; ++p) Run(StrCat("INSERT INTO ks.late (p) VALUES (", p, ")"));
  uint64_t rows = 0, pages = 0;
  RequestParameters parameters{.page_rows = 4'999};
  do {
    const Result<Outcome> read = engine_->Execute("SELECT p FROM ks.late ORDER BY v", parameters);
    ASSERT_TRUE(read.ok()) << read.error().message;
    const auto& page = std::get<RowsPage>(read->result);
    PageReader reader(page);
    for (std::vector<ValueView> row; reader.Next(row);) ++rows;
    parameters.paging_state = page.paging_state;
    ++pages;
  } while (!parameters.paging_state.empty());
  EXPECT_EQ(rows, 5'003u);
  EXPECT_GE(pages, 2u);
}

}  // namespace
}  // namespace widerow
