// Several threads compute an aggregate over a table. The answer must be the same as that of one thread that reads one
// row after the other.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "widerow/bulk_writer.h"

namespace widerow {
namespace {

constexpr int kRows = 220'000;
constexpr int kRowsPerPartition = 2;

class ParallelAggregateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "widerow-aggregate-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    auto opened = Database::Open({.directory = directory_, .map_bytes = uint64_t{1} << 34, .durability = "none"});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    db_ = std::move(opened).value();
    Exec("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Exec("CREATE TABLE k.t (p int, c int, n bigint, v varint, name text, r double, s int static, PRIMARY KEY (p, c))");
    auto made = BulkWriter::Open(*db_, "k.t", {"p", "c", "n", "name", "r"});
    ASSERT_TRUE(made.ok()) << made.error().message;
    const std::unique_ptr<BulkWriter> writer = std::move(made).value();
    for (int i = 0; i < kRows; ++i) {
      const Parameter n = i % 10 == 3 ? Parameter(nullptr) : Parameter(long{i});
      ASSERT_TRUE(writer->Add({i / kRowsPerPartition, i % kRowsPerPartition, n, std::to_string(i), 0.1 * i}).ok());
    }
    ASSERT_TRUE(writer->Finish().ok());
  }
  void TearDown() override {
    db_.reset();
    std::filesystem::remove_all(directory_);
  }
  void Exec(const std::string& cql) {
    const auto result = db_->Execute(cql);
    ASSERT_TRUE(result.ok()) << cql << ": " << result.error().message;
  }
  // Returns the values of the one row of `cql`, as JSON.
  std::string Row(const std::string& cql) {
    auto rows = db_->Execute(cql);
    if (!rows.ok()) return rows.error().message;
    ResultSet set = std::move(rows).value();
    if (!set.Next()) return "no row";
    std::string values;
    for (size_t i = 0; i < set.columns().size(); ++i) values += (i == 0 ? "" : " ") + set.row().Json(i);
    return values;
  }

  std::filesystem::path directory_;
  std::unique_ptr<Database> db_;
};

TEST_F(ParallelAggregateTest, AreThoseOfAllRows) {
  int64_t sum = 0, count = 0;
  for (int i = 0; i < kRows; ++i) {
    if (i % 10 == 3) continue;
    sum += i;
    ++count;
  }
  EXPECT_EQ(Row("SELECT count(*), count(n), min(n), max(n), max(name) FROM k.t"),
            std::to_string(kRows) + " " + std::to_string(count) + " 0 " + std::to_string(kRows - 1) + " \"99999\"");
  EXPECT_EQ(Row("SELECT sum(n), avg(n), sum(v), avg(v) FROM k.t"),
            std::to_string(sum) + " " + std::to_string(sum / count) + " 0 0");
  EXPECT_EQ(Row("SELECT count(*) FROM k.t WHERE n >= 100000 AND n < 100010 ALLOW FILTERING"), "9");
  EXPECT_EQ(Row("SELECT count(*), max(n) FROM k.t WHERE n < 0 ALLOW FILTERING"), "0 null");
}

// Rounding depends on the order of the rows. So one thread reads all rows, and each run gives the same sum.
TEST_F(ParallelAggregateTest, FloatingSumsAreTheSameEachTime) {
  const std::string first = Row("SELECT sum(r), avg(r) FROM k.t");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Row("SELECT sum(r), avg(r) FROM k.t"), first);
}

TEST_F(ParallelAggregateTest, PartsOfTheRingAddUpToTheWhole) {
  int64_t rows = 0;
  for (const char* part :
       {"token(p) < -1000000000000000000", "token(p) >= -1000000000000000000 AND token(p) <= 77", "token(p) > 77"}) {
    rows += std::stoll(Row(std::string("SELECT count(*) FROM k.t WHERE ") + part));
  }
  EXPECT_EQ(rows, kRows);
}

TEST_F(ParallelAggregateTest, APartitionWithStaticContentAloneCountsOnce) {
  Exec("INSERT INTO k.t (p, s) VALUES (-1, 5)");
  Exec("UPDATE k.t SET s = 7 WHERE p = 3");
  EXPECT_EQ(Row("SELECT count(*), count(s), sum(s) FROM k.t"), std::to_string(kRows + 1) + " 3 19");
}

// Other threads add and delete rows. The count must include each row that stays, and may include the others.
TEST_F(ParallelAggregateTest, ConcurrencyWithWritersLeavesRowsThatStayCountedOnce) {
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    for (int i = 0; !stop; ++i) {
      ASSERT_TRUE(db_->Execute("INSERT INTO k.t (p, c, n) VALUES (?, 100, -1)", {i % 1'000}).ok());
      ASSERT_TRUE(db_->Execute("DELETE FROM k.t WHERE p = ? AND c = 100", {i % 1'000}).ok());
    }
  });
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Row("SELECT count(*) FROM k.t WHERE c < 100 ALLOW FILTERING"), std::to_string(kRows));
  }
  stop = true;
}

}  // namespace
}  // namespace widerow
