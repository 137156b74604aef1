// A write that reads before it writes runs on the writer's thread, and all other writes wait meanwhile. So it must not
// take long, whatever is stored.
#include <gtest/gtest.h>

#include <chrono>

#include "base/text.h"
#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

class WriterTurnsTest : public ::testing::Test {
 protected:
  WriterTurnsTest() {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE lists (k int PRIMARY KEY, l list<int>)");
    Run("CREATE TABLE t (p int, c int, v int, s int static, PRIMARY KEY (p, c))");
  }
  Result<Outcome> Try(const std::string& text, std::vector<BoundValue> values = {}) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr prepared, engine_->Prepare(text, "ks"));
    return engine_->ExecutePrepared(*prepared, {.values = std::move(values), .keyspace = "ks"});
  }
  void Run(const std::string& text) {
    const auto outcome = engine_->Execute(text, {.keyspace = "ks"});
    ASSERT_TRUE(outcome.ok()) << outcome.error().message << ": " << text.substr(0, 100);
  }
  // Runs the statement, which has one row as its answer. Returns the row as text.
  std::string Row(const std::string& text) {
    const auto outcome = engine_->Execute(text, {.keyspace = "ks"});
    if (!outcome.ok()) return outcome.error().message;
    const auto& page = std::get<RowsPage>(outcome->result);
    PageReader reader(page);
    std::vector<ValueView> row;
    if (!reader.Next(row)) return "no row";
    std::string shown;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string value = row[i] ? std::to_string(DecodeInteger(*row[i])) : "null";
      shown += StrCat(i == 0 ? "" : ", ", (*page.columns)[i].name, "=", value);
    }
    return shown;
  }
  // Runs one statement for each c with `first` <= c < `end`. Its text is `before`, c and `after`, joined.
  void WriteRows(int first, int end, const std::string& before, const std::string& after) {
    for (int c = first; c < end;) {
      std::string batch = "BEGIN UNLOGGED BATCH ";
      for (const int until = std::min(c + 1'000, end); c < until; ++c) batch += StrCat(before, c, after, "; ");
      Run(batch + "APPLY BATCH");
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_ = OpenEngine(directory_);
};

BoundValue Numbers(int32_t first, int32_t count) {
  Bytes list = EncodeInteger(TypeKind::kInt, count);
  for (int32_t i = first; i < first + count; ++i) {
    AppendBigEndian(list, int32_t{4});
    AppendBigEndian(list, i);
  }
  return {BoundValue::Kind::kValue, std::move(list)};
}

TEST_F(WriterTurnsTest, ManyValuesAreRemovedFromALongList) {
  constexpr int32_t kElements = 65'000;
  ASSERT_TRUE(Try("UPDATE lists SET l = ? WHERE k = 1", {Numbers(0, kElements)}).ok());
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(Try("UPDATE lists SET l = l - ? WHERE k = 1", {Numbers(2, kElements)}).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
  EXPECT_EQ(Row("SELECT collection_count(l) FROM lists WHERE k = 1"), "system.collection_count(l)=2");
}

// If a condition on static columns alone does not hold, the answer shows a row of the partition: the first row that an
// INSERT has made. If the search for this row takes too long, the answer has null in `c`.
TEST_F(WriterTurnsTest, TheRowBesideStaticConditionsIsNotSearchedForLong) {
  const std::string failing = "BEGIN BATCH UPDATE t SET s = 1 WHERE p = 1 IF s = 5; APPLY BATCH";
  Run("UPDATE t SET s = 7 WHERE p = 1");
  WriteRows(0, 5'000, "UPDATE t SET v = 1 WHERE p = 1 AND c = ", "");
  Run("INSERT INTO t (p, c) VALUES (1, 100000)");
  EXPECT_EQ(Row(failing), "[applied]=0, p=1, c=100000, s=7");
  WriteRows(5'000, 11'000, "UPDATE t SET v = 1 WHERE p = 1 AND c = ", "");
  EXPECT_EQ(Row(failing), "[applied]=0, p=1, c=null, s=7");
  WriteRows(0, 11'000, "DELETE FROM t WHERE p = 1 AND c = ", "");
  EXPECT_EQ(Row(failing), "[applied]=0, p=1, c=null, s=7") << "11,000 deleted rows are too many, too";
}

}  // namespace
}  // namespace widerow
