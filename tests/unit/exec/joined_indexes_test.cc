// Tests conditions on several indexed columns whose values come in runs: rows next to each other often have the same
// value, as the states of a machine have over time. Between two rows that it returns, a join of indexes then passes
// many entries.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "base/text.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int kRunRows = 24'000;

struct StateRow {
  int a, b, d;
};

class JoinedIndexesTest : public ::testing::Test {
 protected:
  JoinedIndexesTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (p int, c int, a int, b int, d int, PRIMARY KEY (p, c))");
    for (const char* column : {"a", "b", "d"}) Run(StrCat("CREATE INDEX ON ks.t (", column, ") USING 'sai'"));
  }

  Outcome Run(const std::string& text, const RequestParameters& parameters = {}) {
    Result<Outcome> outcome = engine_->Execute(text, parameters);
    if (outcome.ok()) return std::move(*outcome);
    ADD_FAILURE() << text << ": " << outcome.error().message;
    return {};
  }
  // Writes the rows into one partition, in the order of `rows`.
  void Write(const std::vector<StateRow>& rows) {
    const auto bound = [](int number) {
      return BoundValue{BoundValue::Kind::kValue, EncodeInteger(TypeKind::kInt, number)};
    };
    const PreparedPtr insert = engine_->Prepare("INSERT INTO t (p, c, a, b, d) VALUES (1, ?, ?, ?, ?)", "ks").value();
    for (size_t at = 0; at < rows.size();) {
      std::vector<BatchEntry> entries;
      for (; at < rows.size() && entries.size() < 500; ++at) {
        const StateRow& row = rows[at];
        entries.push_back({insert, {bound(static_cast<int>(at)), bound(row.a), bound(row.b), bound(row.d)}, {}});
      }
      ASSERT_TRUE(engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {}).ok());
    }
  }
  // Checks that the condition finds the rows for which `matches` is true, in their order, in pages of `page_rows`.
  void Check(const std::vector<StateRow>& rows, const std::string& where,
             const std::function<bool(const StateRow&)>& matches, uint32_t page_rows) {
    std::vector<int64_t> expected, found;
    for (size_t c = 0; c < rows.size(); ++c) {
      if (matches(rows[c])) expected.push_back(static_cast<int64_t>(c));
    }
    RequestParameters parameters{.page_rows = page_rows};
    do {
      const Outcome outcome = Run("SELECT c FROM ks.t WHERE " + where, parameters);
      const auto* const page = std::get_if<RowsPage>(&outcome.result);
      if (page == nullptr) return;
      PageReader reader(*page);
      for (std::vector<ValueView> row; reader.Next(row);) found.push_back(DecodeInteger(*row[0]));
      parameters.paging_state = page->paging_state;
    } while (!parameters.paging_state.empty());
    EXPECT_EQ(found, expected) << where;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

// The two indexes have entries for different runs of rows: twenty rows have a = 1, and the next twenty have b = 1. Few
// rows have both.
TEST_F(JoinedIndexesTest, RunsThatSeldomMeet) {
  std::vector<StateRow> rows;
  for (int i = 0; i < kRunRows; ++i) {
    const bool both = i > kRunRows / 2 && i % 997 == 0;
    rows.push_back({both || i / 20 % 2 == 0 ? 1 : 0, both || i / 20 % 2 == 1 ? 1 : 0, 0});
  }
  Write(rows);
  const auto matches = [](const StateRow& row) { return row.a == 1 && row.b == 1; };
  Check(rows, "a = 1 AND b = 1", matches, 0);
  Check(rows, "a = 1 AND b = 1", matches, 3);
}

// All three indexes have entries for the same rows, so no index excludes a row.
TEST_F(JoinedIndexesTest, StreamsThatAreEqual) {
  std::vector<StateRow> rows;
  for (int i = 0; i < kRunRows; ++i) rows.push_back({i / 7 % 2, i / 7 % 2, i / 7 % 2});
  Write(rows);
  Check(
      rows, "a = 1 AND b = 1 AND d = 1", [](const StateRow& row) { return row.a == 1; }, 0);
}

TEST_F(JoinedIndexesTest, RandomRuns) {
  std::mt19937 random(7);
  std::vector<StateRow> rows(kRunRows);
  for (int StateRow::*const column : {&StateRow::a, &StateRow::b, &StateRow::d}) {
    for (size_t at = 0; at < rows.size();) {
      const int value = static_cast<int>(random() % 4);
      for (size_t left = 1 + random() % 60; left > 0 && at < rows.size(); --left) rows[at++].*column = value;
    }
  }
  Write(rows);
  for (int i = 0; i < 12; ++i) {
    const int a = static_cast<int>(random() % 4), b = static_cast<int>(random() % 4), d = i % 4;
    const std::string both = StrCat("a = ", a, " AND b = ", b);
    Check(
        rows, both, [&](const StateRow& row) { return row.a == a && row.b == b; }, i % 2 == 0 ? 0 : 100);
    Check(
        rows, StrCat(both, " AND d = ", d), [&](const StateRow& row) { return row.a == a && row.b == b && row.d == d; },
        0);
    Check(
        rows, StrCat("(", both, ") OR (b = ", a, " AND d = ", d, ")"),
        [&](const StateRow& row) { return (row.a == a && row.b == b) || (row.b == a && row.d == d); },
        i % 3 == 0 ? 0 : 77);
    Check(
        rows, StrCat("a IN (", a, ", ", b, ") AND d = ", d, " AND b IN (0, ", d, ")"),
        [&](const StateRow& row) { return (row.a == a || row.a == b) && row.d == d && (row.b == 0 || row.b == d); }, 0);
  }
}

}  // namespace
}  // namespace widerow
