// The memory of answers is limited. A page of rows ends when its memory is used up. A result that cannot be divided
// into pages is refused.
#include "exec/rows/answer_room.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

// Grants memory up to a limit, and remembers the requests.
class Room final : public AnswerRoom {
 public:
  Room(size_t page_bytes, size_t whole_bytes) : page_bytes_(page_bytes), whole_bytes_(whole_bytes) {}
  bool GrowPage(size_t bytes) override {
    ++asked;
    return bytes <= page_bytes_;
  }
  Status GrowWhole(size_t bytes) override {
    ++asked;
    most_whole = std::max(most_whole, bytes);
    if (bytes <= whole_bytes_) return OkStatus();
    return Error{.code = ErrorCode::kOverloaded, .message = "no room"};
  }

  int asked = 0;
  size_t most_whole = 0;

 private:
  const size_t page_bytes_, whole_bytes_;
};

class AnswerRoomTest : public ::testing::Test {
 protected:
  static constexpr int kPartitions = 4, kRows = 500;
  static constexpr size_t kRowBytes = 1'000;

  void SetUp() override {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
    Run("CREATE TABLE blobs (p int PRIMARY KEY, v text, l list<text>)");
    const std::string text(kRowBytes, 'x');
    for (int p = 0; p < kPartitions; ++p) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (int c = 0; c < kRows; ++c) {
        batch +=
            "INSERT INTO t (p, c, v) VALUES (" + std::to_string(p) + ", " + std::to_string(c) + ", '" + text + "'); ";
      }
      Run(batch + "APPLY BATCH");
    }
    Run("INSERT INTO blobs (p, v, l) VALUES (1, '" + std::string(500'000, 'b') + "', ['" + std::string(500'000, 'l') +
        "'])");
  }
  void Run(const std::string& cql) {
    const auto outcome = engine_->Execute(cql, {.keyspace = "ks"});
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  }
  // Expects that the statement is refused if its result may take 100,000 bytes, and runs if its result may take
  // `enough` bytes. Returns the number of bytes that it requested when it ran.
  size_t AskedForWhole(const std::string& cql, uint32_t page_rows, size_t enough) {
    SCOPED_TRACE(cql);
    Room room(1'000'000'000, 100'000);
    const Result<RowsPage> refused = Page(cql, page_rows, {.room = &room});
    EXPECT_FALSE(refused.ok());
    if (!refused.ok()) { EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded); }
    Room wide(1'000'000'000, enough);
    EXPECT_TRUE(Page(cql, page_rows, {.room = &wide}).ok());
    return wide.most_whole;
  }
  Result<RowsPage> Page(const std::string& cql, uint32_t page_rows, AnswerLimits limits, Bytes state = {}) {
    auto outcome = engine_->Execute(
        cql, {.keyspace = "ks", .page_rows = page_rows, .paging_state = std::move(state), .answer = limits});
    if (!outcome.ok()) return outcome.error();
    return std::get<RowsPage>(std::move(outcome->result));
  }
  // Reads all pages. Returns the number of rows, and stores the size of the largest page in `largest`.
  size_t ReadAll(const std::string& cql, AnswerLimits limits, size_t& largest) {
    std::set<Bytes> rows;
    size_t count = 0;
    Bytes state;
    largest = 0;
    do {
      Result<RowsPage> page = Page(cql, 100'000, limits, state);
      EXPECT_TRUE(page.ok()) << page.error().message;
      if (!page.ok()) return count;
      largest = std::max(largest, page->body.size());
      count += page->row_count;
      PageReader reader(*page);
      for (std::vector<ValueView> row; reader.Next(row);) rows.insert(Bytes(*row[0]) + Bytes(*row[1]));
      state = std::move(page->paging_state);
    } while (!state.empty());
    EXPECT_EQ(rows.size(), count) << "a row in two pages";
    return count;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

TEST_F(AnswerRoomTest, PagesEndWhereTheirRoomEnds) {
  for (const std::string cql :
       {"SELECT p, c, v FROM t", "SELECT p, c, toJson(v) FROM t", "SELECT p, c, v FROM t WHERE p IN (0, 1, 2, 3)",
        "SELECT p, c, max(v) FROM t GROUP BY p, c"}) {
    SCOPED_TRACE(cql);
    size_t largest = 0;
    Room room(200'000, 0);
    EXPECT_EQ(ReadAll(cql, {.room = &room}, largest), size_t{kPartitions} * kRows);
    EXPECT_GT(largest, 50'000u);
    EXPECT_LE(largest, 200'000u + 2 * kRowBytes);
    Room none(0, 0);
    EXPECT_EQ(ReadAll(cql, {.room = &none}, largest), size_t{kPartitions} * kRows) << "a page always has some rows";
    EXPECT_LE(largest, 40'000u);
    EXPECT_EQ(ReadAll(cql, {.page_bytes_max = 100'000}, largest), size_t{kPartitions} * kRows);
    EXPECT_THAT(largest, ::testing::AllOf(::testing::Ge(100'000u), ::testing::Le(100'000u + 2 * kRowBytes)));
    EXPECT_EQ(ReadAll(cql, {}, largest), size_t{kPartitions} * kRows);
    EXPECT_GT(largest, size_t{kPartitions} * kRows * kRowBytes) << "one page";
  }
}

TEST_F(AnswerRoomTest, ResultsThatCannotBeDividedAreRefused) {
  for (const std::string cql :
       {"SELECT p, c, v FROM t", "SELECT p, c, toJson(v) FROM t",
        "SELECT p, c, v FROM t WHERE p IN (0, 1, 2, 3) ORDER BY c", "SELECT p, c, max(v) FROM t GROUP BY p, c"}) {
    SCOPED_TRACE(cql);
    Room room(0, 1'000'000);
    const Result<RowsPage> refused = Page(cql, 0, {.room = &room});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
    EXPECT_LE(room.most_whole, 3'000'000u) << "it is refused before it has taken more";
    Room wide(0, 100'000'000);
    const Result<RowsPage> all = Page(cql, 0, {.room = &wide});
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->row_count, uint32_t{kPartitions} * kRows);
    EXPECT_GE(wide.most_whole, all->body.size()) << "all of it was asked for";
  }
}

// Memory for a large value is requested before the value is copied. A small answer requests no memory.
TEST_F(AnswerRoomTest, LargeValues) {
  for (const std::string cql : {"SELECT v FROM blobs WHERE p = 1", "SELECT l FROM blobs WHERE p = 1",
                                "SELECT p, v FROM blobs", "SELECT toJson(v) FROM blobs WHERE p = 1"}) {
    for (const uint32_t page_rows : {0u, 10u}) AskedForWhole(cql, page_rows, 2'000'000);
  }
  Room none(0, 0);
  EXPECT_TRUE(Page("SELECT v FROM t WHERE p = 1 AND c = 1", 0, {.room = &none}).ok());
  EXPECT_TRUE(Page("SELECT v FROM t WHERE p = 1 LIMIT 20", 0, {.room = &none}).ok());
  EXPECT_TRUE(Page("SELECT max(v) FROM t", 0, {.room = &none}).ok());
  EXPECT_EQ(none.asked, 0);
}

// The values that an aggregate keeps while it reads rows count as a part of the answer.
TEST_F(AnswerRoomTest, ValuesKeptByAggregates) {
  for (const std::string cql :
       {"SELECT max(v) FROM blobs", "SELECT v, count(*) FROM blobs", "SELECT p, min(l), max(v) FROM blobs GROUP BY p",
        "SELECT p, max(v) FROM blobs WHERE p IN (1, 2) GROUP BY p", "SELECT collection_count(max(l)) FROM blobs"}) {
    for (const uint32_t page_rows : {0u, 10u}) EXPECT_GE(AskedForWhole(cql, page_rows, 3'000'000), 400'000u);
  }
}

// Several threads read a large table. The values that all of them keep count together as parts of one answer.
TEST_F(AnswerRoomTest, ValuesKeptByTheThreadsOfAnAggregate) {
  Run("CREATE TABLE wide (p int PRIMARY KEY, v text)");
  for (int first = 0; first < 120'000; first += 2'000) {
    std::string batch = "BEGIN UNLOGGED BATCH ";
    for (int p = first; p < first + 2'000; ++p) {
      batch += "INSERT INTO wide (p, v) VALUES (" + std::to_string(p) + ", 'x'); ";
    }
    Run(batch + "APPLY BATCH");
  }
  Run("UPDATE wide SET v = '" + std::string(500'000, 'y') + "' WHERE p = 7");
  Room room(0, 100'000);
  const Result<RowsPage> refused = Page("SELECT max(v), count(*) FROM wide", 0, {.room = &room});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
  Room large(0, 2'000'000);
  EXPECT_TRUE(Page("SELECT max(v), count(*) FROM wide", 0, {.room = &large}).ok());
}

// A conditional write that is not applied answers with the rows found.
TEST_F(AnswerRoomTest, AnswersOfConditionalWrites) {
  Run("CREATE TABLE many (p int, c int, v text, PRIMARY KEY (p, c))");
  Run("CREATE TABLE names (p int PRIMARY KEY, name text, v text)");
  constexpr int kMany = 12;
  std::string batch = "BEGIN BATCH ";
  for (int c = 0; c < kMany; ++c) {
    Run("INSERT INTO many (p, c, v) VALUES (1, " + std::to_string(c) + ", '" + std::string(300'000, 'm') + "')");
    batch += "UPDATE many SET v = 'x' WHERE p = 1 AND c = " + std::to_string(c) + " IF v = 'y'; ";
  }
  batch += "APPLY BATCH";
  for (const std::string& cql : {std::string("INSERT INTO blobs (p, v) VALUES (1, 'x') IF NOT EXISTS"),
                                 std::string("UPDATE blobs SET v = 'x' WHERE p = 1 IF v = 'y'"), batch}) {
    SCOPED_TRACE(cql.substr(0, 50));
    Room room(1'000'000'000, 100'000);
    const Result<RowsPage> refused = Page(cql, 0, {.room = &room});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
    Room wide(0, 10'000'000);
    const Result<RowsPage> answer = Page(cql, 0, {.room = &wide});
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->row_count, cql == batch ? kMany : 1);
    EXPECT_GT(answer->body.size(), answer->row_count * 300'000u);
    EXPECT_GE(wide.most_whole, answer->body.size() - 100'000);
  }
  EXPECT_TRUE(engine_->Flush().ok());  // Long values come in pieces from the data file.
  const Result<RowsPage> stored = Page(batch, 0, {});
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->row_count, uint32_t{kMany});
  PageReader reader(*stored);
  for (std::vector<ValueView> row; reader.Next(row);) EXPECT_EQ(row.back(), ByteView(std::string(300'000, 'm')));
}

// A row that is too large for every result is refused before it is complete, even if it has a page of its own.
TEST_F(AnswerRoomTest, RowsAboveTheLimitOfAResult) {
  const auto repeated = [](const std::string& value, int count) {
    std::string list = value;
    for (int i = 1; i < count; ++i) list += ", " + value;
    return list;
  };
  Run("INSERT INTO blobs (p, v) VALUES (3, '" + std::string(60'000, 'b') + "')");
  for (const std::string& cql : {"SELECT " + repeated("v", 600) + " FROM blobs WHERE p = 1",
                                 "SELECT " + repeated("v", 5'000) + " FROM blobs WHERE p = 3",
                                 "SELECT " + repeated("max(v)", 600) + " FROM blobs",
                                 "SELECT v, " + repeated("v", 600) + ", count(*) FROM blobs",
                                 "SELECT " + repeated("v", 600) + " FROM blobs WHERE p = 1 GROUP BY p"}) {
    SCOPED_TRACE(cql.substr(0, 30));
    const Result<RowsPage> refused = Page(cql, 10, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(refused.error().message, "The result exceeds 268435456 bytes");
  }
}

}  // namespace
}  // namespace widerow
