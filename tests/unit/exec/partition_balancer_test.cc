// RANGE partitions are split when they are large or busy, and merged when they are small.
#include "exec/balance/partition_balancer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "exec/balance/partition_middle.h"
#include "tests/storage_of.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using std::chrono::steady_clock;

class PartitionBalancerTest : public testing::Test {
 protected:
  void Open(BalanceOptions balance) {
    auto storage = OpenLmdbEngine({.directory = directory_.path(), .map_bytes = uint64_t{1} << 34});
    ASSERT_TRUE(storage.ok());
    engine_ = std::make_unique<Engine>(std::move(*storage), LanguageOptions{}, EngineOptions{.balance = balance});
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }
  void Run(const std::string& statement) {
    const Result<Outcome> outcome = engine_->Execute(statement, {});
    ASSERT_TRUE(outcome.ok()) << statement << ": " << outcome.error().message;
  }
  TablePtr Table() const { return engine_->schema()->FindTable("ks", "t"); }
  size_t Partitions() const { return Table()->partition_map.size(); }
  uint32_t CountRows() const {
    const Result<Outcome> outcome = engine_->Execute("SELECT k, c FROM ks.t", {});
    return outcome.ok() ? std::get<RowsPage>(outcome->result).row_count : 0;
  }
  // Writes row `c` with the partition key `k`. The row has about 1 KB.
  void Insert(int k, int c) {
    Run("INSERT INTO ks.t (k, c, v) VALUES (" + std::to_string(k) + ", " + std::to_string(c) + ", '" +
        std::string(1'000, 'x') + "')");
  }
  template <typename Condition>
  bool Eventually(Condition condition) {
    const auto end = steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && steady_clock::now() < end) {
      Meanwhile();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return condition();
  }
  std::function<void()> meanwhile_;
  void Meanwhile() {
    if (meanwhile_) meanwhile_();
  }

  const ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

const char* const kTable =
    "CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH split_size_kb = 100 PARTITION BY RANGE (k)";

TEST_F(PartitionBalancerTest, SplitsBySizeAndMergesWhatIsSmallAgain) {
  Open({.period_ms = 5});
  Run(kTable);
  for (int k = 0; k < 400; ++k) Insert(k, 0);
  EXPECT_TRUE(Eventually([&] { return Partitions() >= 4; })) << Partitions();
  EXPECT_EQ(CountRows(), 400u);
  for (size_t i = 1; i < Partitions(); ++i) EXPECT_TRUE(Table()->partition_map[i].automatic);
  const Uuid version = engine_->schema()->version;

  for (int k = 0; k < 395; ++k) Run("DELETE FROM ks.t WHERE k = " + std::to_string(k));
  ASSERT_TRUE(engine_->Flush().ok());
  EXPECT_TRUE(Eventually([&] { return Partitions() <= 2; })) << Partitions();
  EXPECT_EQ(CountRows(), 5u);
  EXPECT_EQ(engine_->schema()->version, version) << "drivers see nothing of it";
}

TEST_F(PartitionBalancerTest, DeclaredPartitionsStayAndAutoSplitMayBeOff) {
  Open({.period_ms = 5});
  Run("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH split_size_kb = 100 AND auto_split = false "
      "PARTITION BY RANGE (k) "
      "(PARTITION a VALUES LESS THAN (1000), PARTITION b VALUES LESS THAN (2000), PARTITION c VALUES LESS THAN "
      "MAXVALUE)");
  for (int k = 0; k < 300; ++k) Insert(k, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(Partitions(), 3u);
  Run("ALTER TABLE ks.t WITH auto_split = true");
  EXPECT_TRUE(Eventually([&] { return Partitions() >= 5; }));
  Run("TRUNCATE ks.t");
  EXPECT_TRUE(Eventually([&] { return Partitions() == 3; })) << "what was split is merged, what was declared is not";
}

TEST_F(PartitionBalancerTest, OneValueIsNeverSplit) {
  Open({.period_ms = 5});
  Run(kTable);
  for (int c = 0; c < 400; ++c) Insert(7, c);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(Partitions(), 1u);
  const Result<Bytes> middle = FindMiddle(StorageOf(*engine_), *Table(), 0);
  ASSERT_TRUE(middle.ok());
  EXPECT_TRUE(middle->empty());
  // Now the partition has rows with two values of `k`. So it can be split between the two values, even if one of them
  // has far more rows than the other.
  Insert(8, 0);
  for (int c = 400; c < 900; ++c) Insert(7, c);
  EXPECT_TRUE(Eventually([&] { return Partitions() == 2; }));
  EXPECT_EQ(CountRows(), 901u);
}

// A split that fails reads the whole partition each time, so the attempts become rare.
TEST_F(PartitionBalancerTest, AFailedSplitIsTriedLater) {
  Open({.enabled = false});
  Run(kTable);
  for (int k = 0; k < 200; ++k) Insert(k, 0);
  std::atomic<int> attempts = 0;
  const auto refuse = [&](const TablePtr&, TableSchema) -> Result<bool> {
    ++attempts;
    return ServerError("no room");
  };
  PartitionBalancer balancer(StorageOf(*engine_), [&] { return engine_->schema(); }, refuse, {.period_ms = 5});
  EXPECT_TRUE(Eventually([&] { return attempts > 0; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_LE(attempts, 2) << "the second attempt waits for a second";
}

TEST_F(PartitionBalancerTest, SplitsByLoadInConcurrencyWithReads) {
  Open({.split_operations = 50, .period_ms = 20});
  Run("CREATE TABLE ks.t (k int, c int, v text, PRIMARY KEY (k, c)) PARTITION BY RANGE (k)");
  for (int k = 0; k < 100; ++k) Insert(k, 0);
  meanwhile_ = [&] {
    for (int k = 0; k < 100; k += 9) Run("SELECT v FROM ks.t WHERE k = " + std::to_string(k) + " AND c = 0");
  };
  EXPECT_TRUE(Eventually([&] { return Partitions() >= 2; }));
  EXPECT_EQ(CountRows(), 100u);
  meanwhile_ = nullptr;
  EXPECT_TRUE(Eventually([&] { return Partitions() == 1; })) << "nobody asks any more";
}

}  // namespace
}  // namespace widerow
