#include "exec/rows/paging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "exec/write/list_path.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

PagingState Sample() {
  PagingState state{.rows_left = 7, .partition_rows_left = 3};
  state.at = {.partition_key = Bytes("k\0ey", 4), .clustering = Bytes("\x40\x00", 2), .partition_done = false};
  return state;
}

TEST(PagingTest, RoundTrips) {
  PagingState done = Sample();
  done.at.partition_done = true;
  for (const PagingState& state : {Sample(), done, PagingState()}) {
    const auto back = DecodePagingState(EncodePagingState(state, 42), 42);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, state);
  }
}

TEST(PagingTest, EveryAlteredByteIsRefused) {
  const Bytes good = EncodePagingState(Sample(), 42);
  for (size_t i = 0; i < good.size(); ++i) {
    Bytes bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto result = DecodePagingState(bad, 42);
    ASSERT_FALSE(result.ok()) << "byte " << i;
    EXPECT_EQ(result.error().code, ErrorCode::kProtocolError);
    EXPECT_FALSE(DecodePagingState(ByteView(good).substr(0, i), 42).ok()) << "cut at " << i;
  }
}

TEST(PagingTest, AnotherStatementsStateIsInvalid) {
  const auto foreign = DecodePagingState(EncodePagingState(Sample(), 42), 43);
  ASSERT_FALSE(foreign.ok());
  EXPECT_EQ(foreign.error().code, ErrorCode::kInvalid);
  EXPECT_NE(ScopeOfText("a", "b"), ScopeOfText("a", "c"));
}

// A client can make paging states itself, because their checksum is no signature. These states must do no harm.
class ForgedStateTest : public ::testing::Test {
 protected:
  ForgedStateTest() : engine_(OpenEngine(directory_)) {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (p int, c int, v int, PRIMARY KEY (p, c))");
    Run("CREATE INDEX tv ON ks.t (v)");
    for (int p = 0; p < 4; ++p) {
      for (int c = 0; c < 4; ++c) Run("INSERT INTO ks.t (p, c, v) VALUES (" + Text(p) + ", " + Text(c) + ", 1)");
    }
  }
  static std::string Text(int number) { return std::to_string(number); }
  Result<Outcome> Ask(const std::string& text, const RequestParameters& parameters) {
    return engine_->Execute(text, parameters);
  }
  void Run(const std::string& text) { EXPECT_TRUE(engine_->Execute(text, {}).ok()) << text; }
  // Asks for a page. Returns the decoded paging state and its scope (the rows and the order for which it is valid).
  std::pair<PagingState, uint64_t> StateOf(const std::string& text) {
    const Result<Outcome> outcome = Ask(text, {.page_rows = 2});
    const Bytes& state = std::get<RowsPage>(outcome->result).paging_state;
    const auto scope = ReadBigEndian<uint64_t>(state.data() + 9);
    return {*DecodePagingState(state, scope), scope};
  }
  // Continues the statement at the given paging state. Returns the rows, or nullopt if the state is refused as invalid.
  std::optional<std::vector<std::pair<int, int>>> After(const std::string& text, const PagingState& state,
                                                        uint64_t scope) {
    const Result<Outcome> outcome = Ask(text, {.page_rows = 100, .paging_state = EncodePagingState(state, scope)});
    if (!outcome.ok()) {
      EXPECT_EQ(outcome.error().code, ErrorCode::kInvalid) << outcome.error().message;
      return std::nullopt;
    }
    std::vector<std::pair<int, int>> rows;
    PageReader reader(std::get<RowsPage>(outcome->result));
    std::vector<ValueView> row;
    while (reader.Next(row)) rows.emplace_back(DecodeInteger(*row[0]), DecodeInteger(*row[1]));
    return rows;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(ForgedStateTest, ShowsNoRowsThatTheStatementDoesNotSelect) {
  const std::vector<std::pair<std::string, std::function<bool(int, int)>>> statements = {
      {"SELECT p, c FROM ks.t WHERE p = 1", [](int p, int) { return p == 1; }},
      {"SELECT p, c FROM ks.t WHERE p = 1 AND c >= 1 LIMIT 3", [](int p, int c) { return p == 1 && c >= 1; }},
      {"SELECT p, c FROM ks.t WHERE p = 1 AND v = 1", [](int p, int) { return p == 1; }},
      {"SELECT p, c FROM ks.t WHERE p IN (1, 2) PER PARTITION LIMIT 3", [](int p, int) { return p == 1 || p == 2; }},
      {"SELECT p, c FROM ks.t WHERE token(p) > 0", [](int p, int) { return p != 0 && p != 1 && p != 2; }},
      {"SELECT p, c FROM ks.t WHERE token(p) > 0 AND v = 1", [](int p, int) { return p != 0 && p != 1 && p != 2; }},
      {"SELECT p, c FROM ks.t", [](int, int) { return true; }}};
  const std::vector<Bytes> keys = {Bytes("\0\0\0\0", 4), Bytes("\0\0\0\1", 4), Bytes("\0\0\0\3", 4), Bytes(),
                                   Bytes("x"),           Bytes(70'000, 'k')};
  const std::vector<Bytes> clusterings = {Bytes(), Bytes("\x80\0\0\0", 4), Bytes(1, '\xFF'), Bytes(600, 'c')};
  for (const auto& [text, selects] : statements) {
    auto [state, scope] = StateOf(text);
    for (const Bytes& key : keys) {
      for (const Bytes& clustering : clusterings) {
        for (int flags = 0; flags < 8; ++flags) {
          state.at = {.partition_key = key, .clustering = clustering};
          state.at.partition_done = (flags & 1) != 0;
          state.at.after_static = (flags & 2) != 0;
          state.rows_left = state.partition_rows_left = (flags & 4) != 0 ? 0 : UINT32_MAX;
          const auto rows = After(text, state, scope);
          if (!rows) continue;
          EXPECT_LE(rows->size(), 16u);
          for (const auto& [p, c] : *rows) EXPECT_TRUE(selects(p, c)) << text << " shows " << p << ", " << c;
        }
      }
    }
  }
}

TEST_F(ForgedStateTest, AnswersOfOnePageTakeNone) {
  const auto [state, scope] = StateOf("SELECT p, c FROM ks.t");
  EXPECT_FALSE(After("SELECT count(*), count(*) FROM ks.t", state, scope));
  EXPECT_FALSE(After("SELECT p, c FROM ks.t WHERE p = 1", state, scope));
  EXPECT_FALSE(After("SELECT DISTINCT p, p FROM ks.t", state, scope));
}

TEST(ListPathTest, AppendsRiseAndPrependsFall) {
  std::vector<Bytes> order;
  const int64_t now = 1'700'000'000'000'000;
  for (int i = 0; i < 5; ++i) order.push_back(NextAppendPath(now));  // The clock does not advance.
  for (int round = 0; round < 3; ++round) {
    const int64_t base = NextPrependBase(now, 2);
    order.insert(order.begin(), {PrependPath(base, 0), PrependPath(base, 1)});
  }
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_TRUE(std::adjacent_find(order.begin(), order.end()) == order.end());
}

}  // namespace
}  // namespace widerow
