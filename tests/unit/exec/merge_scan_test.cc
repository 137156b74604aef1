// A SELECT merges the partitions of a generated key. The test compares the answers with a sorted list of the same rows:
// in both directions, with pages of any size, and during writes. In the long form of the test, the environment
// variables WIDEROW_MERGE_ROWS and WIDEROW_MERGE_RANGES give the number of rows and of SELECTs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int64_t kBuckets = 16;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

// ts and id of a row. No two rows are equal, and their order is that of the table.
using Row = std::pair<int64_t, int32_t>;

BoundValue Bound(TypeKind kind, int64_t value) { return {BoundValue::Kind::kValue, EncodeInteger(kind, value)}; }

class MergeScanTest : public testing::Test {
 protected:
  void SetUp() override {
    auto storage = OpenLmdbEngine(
        {.directory = directory_.path(), .map_bytes = uint64_t{4} << 30, .durability = Durability::kNone});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.logs (bucket int GENERATED ALWAYS AS (bucket(ts, 16)), ts bigint, id int, v int, "
        "PRIMARY KEY ((bucket), ts, id))");
    insert_ = Prepared("INSERT INTO ks.logs (ts, id, v) VALUES (?, ?, 1)");
    remove_ = Prepared("DELETE FROM ks.logs WHERE ts = ? AND id = ?");
  }

  void Run(const std::string& text) {
    const Result<Outcome> outcome = engine_->Execute(text, {});
    ASSERT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
  }
  PreparedPtr Prepared(const std::string& text) {
    Result<PreparedPtr> prepared = engine_->Prepare(text, "");
    EXPECT_TRUE(prepared.ok()) << text << ": " << prepared.error().message;
    return *prepared;
  }
  void Write(const PreparedPtr& statement, Row row) {
    RequestParameters parameters;
    parameters.values = {Bound(TypeKind::kBigint, row.first), Bound(TypeKind::kInt, row.second)};
    const Result<Outcome> outcome = engine_->ExecutePrepared(*statement, parameters);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  }

  // Returns all rows of a statement. Reads `page_rows` rows at a time, or all rows at once if `page_rows` is 0.
  std::vector<Row> Read(const PreparedPtr& select, std::vector<BoundValue> values, uint32_t page_rows) {
    std::vector<Row> rows;
    RequestParameters parameters;
    parameters.values = std::move(values);
    parameters.page_rows = page_rows;
    do {
      Result<Outcome> outcome = engine_->ExecutePrepared(*select, parameters);
      EXPECT_TRUE(outcome.ok()) << outcome.error().message;
      if (!outcome.ok()) return rows;
      const auto& page = std::get<RowsPage>(outcome->result);
      EXPECT_TRUE(page_rows == 0 || page.row_count <= page_rows);
      PageReader reader(page);
      std::vector<ValueView> row;
      while (reader.Next(row)) rows.emplace_back(DecodeInteger(*row[0]), static_cast<int32_t>(DecodeInteger(*row[1])));
      parameters.paging_state = page.paging_state;
    } while (!parameters.paging_state.empty());
    return rows;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
  PreparedPtr insert_, remove_;
};

// A SELECT over a range of ts. The test computes its answer from the sorted rows.
struct Question {
  int64_t from = 0, to = 0;  // The SELECT asks for from ≤ ts < to.
  bool backward = false;
  uint32_t limit = 0, partition_limit = 0;  // 0 means that there is no limit.

  std::string Text() const {
    return std::string("SELECT ts, id FROM ks.logs WHERE ts >= ? AND ts < ?") + (backward ? " ORDER BY ts DESC" : "") +
           (partition_limit > 0 ? " PER PARTITION LIMIT " + std::to_string(partition_limit) : "") +
           (limit > 0 ? " LIMIT " + std::to_string(limit) : "");
  }
  std::vector<Row> Answer(const std::vector<Row>& sorted) const {
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), Row{from, INT32_MIN});
    const auto end = std::lower_bound(begin, sorted.end(), Row{to, INT32_MIN});
    std::vector<Row> between(begin, end);
    if (backward) std::reverse(between.begin(), between.end());
    std::vector<Row> answer;
    std::map<int64_t, uint32_t> of_bucket;
    for (const Row& row : between) {
      if (limit > 0 && answer.size() == limit) break;
      if (partition_limit > 0 && ++of_bucket[row.first % kBuckets] > partition_limit) continue;
      answer.push_back(row);
    }
    return answer;
  }
};

TEST_F(MergeScanTest, AnswersAsASortedListWould) {
  const int64_t row_count = FromEnvironment("WIDEROW_MERGE_ROWS", 6'000);
  const int64_t range_count = FromEnvironment("WIDEROW_MERGE_RANGES", 400);
  std::mt19937_64 random(7);
  // Makes a difficult table: several rows have the same second, bucket 0 has far more rows than the others, and some
  // rows are deleted.
  std::vector<Row> rows;
  const int64_t last = row_count / 3;
  for (int64_t i = 0; i < row_count; ++i) {
    int64_t ts = static_cast<int64_t>(random() % static_cast<uint64_t>(last));
    if (i % 3 == 0) ts -= ts % kBuckets;
    rows.emplace_back(ts, static_cast<int32_t>(i));
  }
  for (const Row& row : rows) Write(insert_, row);
  // These rows go to the data file. Later writes are in the memtable.
  ASSERT_TRUE(engine_->Flush().ok());
  for (size_t i = 0; i < rows.size(); i += 17) {
    Write(remove_, rows[i]);
    rows[i].second = -1;
  }
  std::erase_if(rows, [](const Row& row) { return row.second < 0; });
  std::sort(rows.begin(), rows.end());
  for (int64_t i = 0; i < range_count; ++i) {
    Question question;
    question.from = static_cast<int64_t>(random() % static_cast<uint64_t>(last));
    // Every fourth range is wide, up to the whole table. If more ranges were wide, the test would take too long.
    const uint64_t width = i % 4 == 0 ? static_cast<uint64_t>(last) >> random() % 10 : 40;
    question.to = question.from + static_cast<int64_t>(random() % width);
    question.backward = random() % 2 == 0;
    if (random() % 3 == 0) question.limit = 1 + static_cast<uint32_t>(random() % 60);
    if (random() % 4 == 0) question.partition_limit = 1 + static_cast<uint32_t>(random() % 5);
    const auto page_rows = static_cast<uint32_t>(random() % 5 == 0 ? 0 : 1 + random() % (i % 4 == 0 ? 500 : 30));
    const std::vector<Row> read =
        Read(Prepared(question.Text()),
             {Bound(TypeKind::kBigint, question.from), Bound(TypeKind::kBigint, question.to)}, page_rows);
    ASSERT_EQ(read, question.Answer(rows))
        << question.Text() << ", from " << question.from << " to " << question.to << ", pages of " << page_rows;
  }
}

// The test writes some rows while it reads. Rows that exist all the time must come exactly once and in order. The other
// rows may come at most once.
TEST_F(MergeScanTest, ConcurrencyOfReadsInOrderAndWrites) {
  const int64_t row_count = FromEnvironment("WIDEROW_MERGE_ROWS", 6'000);
  const int64_t read_count = std::clamp<int64_t>(FromEnvironment("WIDEROW_MERGE_RANGES", 400) / 40, 6, 100);
  std::vector<Row> lasting;
  for (int64_t i = 0; i < row_count; ++i) lasting.emplace_back(i, 0);
  for (const Row& row : lasting) Write(insert_, row);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    std::mt19937_64 random(11);
    while (!done) {
      const Row row{static_cast<int64_t>(random() % static_cast<uint64_t>(row_count)),
                    1 + static_cast<int32_t>(random() % 3)};
      Write(random() % 3 == 0 ? remove_ : insert_, row);
    }
  });
  std::mt19937_64 random(5);
  const int64_t page_rows_min = 1 + row_count / 1'000;  // In pages of one row, a read of a million rows takes an hour.
  for (int64_t i = 0; i < read_count; ++i) {
    const bool backward = i % 2 == 1;
    const PreparedPtr select =
        Prepared(std::string("SELECT ts, id FROM ks.logs WHERE ts >= ?") + (backward ? " ORDER BY ts DESC" : ""));
    const auto page_rows = static_cast<uint32_t>(page_rows_min + static_cast<int64_t>(random() % 700));
    std::vector<Row> read = Read(select, {Bound(TypeKind::kBigint, 0)}, page_rows);
    if (backward) std::reverse(read.begin(), read.end());
    EXPECT_TRUE(std::is_sorted(read.begin(), read.end()));
    EXPECT_EQ(std::adjacent_find(read.begin(), read.end()), read.end());
    std::erase_if(read, [](const Row& row) { return row.second != 0; });
    EXPECT_EQ(read, lasting);
  }
  done = true;
  writer.join();
}

}  // namespace
}  // namespace widerow
