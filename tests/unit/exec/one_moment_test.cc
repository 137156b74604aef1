// A SELECT must show the database at one moment (docs/guide/transactions.md). Each batch of this test writes its number
// to the first and to the last row of three tables, each of which has 30,000 rows. Some batches also move amounts
// between partitions. If a reader sees two different numbers, or a sum that has changed, it has seen half a batch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "exec/select/show_rows.h"
#include "tests/sanitized.h"
#include "tests/unit/exec/bound_values.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using ::testing::SizeIs;

constexpr int kRows = 30'000, kRowsOfGroup = 1'000;
constexpr int kPartitions = 110'000;  // Enough for two threads to compute an aggregate.
constexpr int64_t kAmount = 100;

// Collects the different values of the columns v and s. If all rows were written by one batch, there is only one value.
class Numbers final : public RowViewer {
 public:
  explicit Numbers(std::function<void()> at_first = {}) : at_first_(std::move(at_first)) {}
  void Begin(const ResultColumnsPtr&) override {}
  bool Show(std::span<const ByteView> values) override {
    for (const ByteView value : values) {
      if (value.data() != nullptr) seen_.insert(DecodeInteger(value));
    }
    if (rows_++ == 0 && at_first_) at_first_();
    return true;
  }
  const std::set<int64_t>& seen() const { return seen_; }
  int rows() const { return rows_; }

 private:
  const std::function<void()> at_first_;
  std::set<int64_t> seen_;
  int rows_ = 0;
};

class OneMomentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .durability = Durability::kNone,
                                   // Such small memtables are folded all the time.
                                   .memtable_bytes = size_t{1} << 20});
    ASSERT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage));
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.wide (p int, g int, c int, v bigint, s bigint static, PRIMARY KEY (p, g, c))");
    Run("CREATE TABLE ks.buckets (b int GENERATED ALWAYS AS (bucket(ts, 16)), ts bigint, v bigint, PRIMARY KEY ((b), "
        "ts))");
    Run("CREATE TABLE ks.found (p int, c int, tag int, v bigint, PRIMARY KEY (p, c))");
    Run("CREATE INDEX ON ks.found (tag)");
    Run("CREATE MATERIALIZED VIEW ks.by_tag AS SELECT p, c, tag, v FROM ks.found "
        "WHERE tag IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (tag, p, c)");
    Load("INSERT INTO ks.wide (p, g, c) VALUES (0, ?, ?)", kRows, [](int i) {
      return std::vector{Int(i / kRowsOfGroup), Int(i)};
    });
    Load("INSERT INTO ks.buckets (ts) VALUES (?)", kRows, [](int i) { return std::vector{Big(i)}; });
    Load("INSERT INTO ks.found (p, c, tag) VALUES (0, ?, 1)", kRows, [](int i) { return std::vector{Int(i)}; });
    for (const char* update :
         {"UPDATE ks.wide SET v = ?, s = ? WHERE p = 0 AND g = 0 AND c = 0",
          "UPDATE ks.wide SET v = ? WHERE p = 0 AND g = 29 AND c = 29999", "UPDATE ks.buckets SET v = ? WHERE ts = 0",
          "UPDATE ks.buckets SET v = ? WHERE ts = 29999", "UPDATE ks.found SET v = ? WHERE p = 0 AND c = 0",
          "UPDATE ks.found SET v = ? WHERE p = 0 AND c = 29999"}) {
      updates_.push_back(Prepared(update));
    }
    WriteBatch(1);
    ASSERT_TRUE(engine_->Flush().ok());
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
  void Apply(const std::vector<BatchEntry>& entries) {
    const Result<Outcome> outcome = engine_->ExecuteBatch(BatchStatement::Kind::kUnlogged, entries, {});
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  }
  void Load(const std::string& text, int count, const std::function<std::vector<BoundValue>(int)>& values) {
    constexpr int kAtOnce = 1'000;
    const PreparedPtr insert = Prepared(text);
    for (int first = 0; first < count; first += kAtOnce) {
      std::vector<BatchEntry> entries;
      for (int i = first; i < std::min(first + kAtOnce, count); ++i) entries.push_back({insert, values(i), {}});
      Apply(entries);
    }
  }

  // Returns the statements of batch `n`, which writes n to the first and to the last row of each table. If n is odd,
  // the batch also adds two rows; if n is even, it deletes them.
  std::vector<BatchEntry> BatchOf(int64_t n) {
    std::vector<BatchEntry> entries;
    for (const PreparedPtr& update : updates_) {
      entries.push_back({update, std::vector<BoundValue>(update->plan->markers.size(), Big(n)), {}});
    }
    const bool more = n % 2 == 1;
    const PreparedPtr pair = Prepared(more ? "INSERT INTO ks.wide (p, g, c) VALUES (0, ?, 40000)"
                                           : "DELETE FROM ks.wide WHERE p = 0 AND g = ? AND c = 40000");
    for (const int group : {0, 29}) entries.push_back({pair, {Int(group)}, {}});
    return entries;
  }
  void WriteBatch(int64_t n) { Apply(BatchOf(n)); }

  // Returns the different numbers in one page of `page_rows` rows, or in all rows if `page_rows` is 0.
  std::set<int64_t> Read(const std::string& text, uint32_t page_rows) {
    RequestParameters parameters;
    parameters.page_rows = page_rows;
    const Result<Outcome> outcome = engine_->Execute(text, parameters);
    EXPECT_TRUE(outcome.ok()) << text << ": " << outcome.error().message;
    std::set<int64_t> numbers;
    if (!outcome.ok()) return numbers;
    const auto& page = std::get<RowsPage>(outcome->result);
    EXPECT_TRUE(page.paging_state.empty()) << text;
    PageReader reader(page);
    std::vector<ValueView> row;
    while (reader.Next(row)) {
      for (const ValueView& value : row) {
        if (value) numbers.insert(DecodeInteger(*value));
      }
    }
    return numbers;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
  std::vector<PreparedPtr> updates_;
};

const char* const kRowReads[] = {
    "SELECT v, s FROM ks.wide WHERE p = 0",
    "SELECT v, s FROM ks.wide WHERE p = 0 ORDER BY g DESC",
    "SELECT v, s FROM ks.wide",
    "SELECT v, s FROM ks.wide WHERE g >= 0 ALLOW FILTERING",
    "SELECT v FROM ks.buckets WHERE ts >= 0",
    "SELECT v FROM ks.buckets WHERE ts >= 0 ORDER BY ts DESC",
    "SELECT v FROM ks.found WHERE tag = 1",
    "SELECT v FROM ks.by_tag WHERE tag = 1",
};

// No thread is needed here: the batch is written while the SELECT shows its first row.
TEST_F(OneMomentTest, RowsThatAreShownAreThoseOfTheFirstOnesMoment) {
  int64_t written = 1;
  for (const char* text : kRowReads) {
    const int64_t before = written;
    Numbers numbers([&] { WriteBatch(++written); });
    const Status shown = engine_->ShowRows(*Prepared(text), {}, numbers);
    ASSERT_TRUE(shown.ok()) << text << ": " << shown.error().message;
    EXPECT_GE(numbers.rows(), kRows) << text;
    EXPECT_EQ(numbers.seen(), std::set<int64_t>{before}) << text;
  }
}

class OneMomentConcurrencyTest : public OneMomentTest {
 protected:
  void SetUp() override {
    OneMomentTest::SetUp();
    Run("CREATE TABLE ks.spread (p int PRIMARY KEY, v bigint)");
    Load("INSERT INTO ks.spread (p, v) VALUES (?, 100)", kPartitions, [](int i) { return std::vector{Int(i)}; });
    ASSERT_TRUE(engine_->Flush().ok());
    int64_t rows = 0;
    for (const PartitionStats& part : engine_->storage().Partitions(*engine_->schema()->FindTable("ks", "spread")))
      rows += part.rows;
    ASSERT_GE(rows, 100'000);
  }

  // Appends statements that take an amount from half of the touched partitions and add it to the other half. So the sum
  // of all partitions does not change.
  void AppendMoves(int64_t n, std::vector<BatchEntry>& entries) {
    constexpr int kTouched = 40;
    const PreparedPtr set = Prepared("UPDATE ks.spread SET v = ? WHERE p = ?");
    for (int i = 0; i < kTouched; ++i) {
      entries.push_back({set, {Big(kAmount + (i % 2 == 0 ? n : -n)), Int(i * (kPartitions / kTouched))}, {}});
    }
  }

  // Runs reads while other threads write batches. `is_half` runs one read, and returns true if the read has seen half a
  // batch.
  void Count(const std::string& what, const std::function<bool()>& is_half) {
    constexpr int kReads = kSanitized ? 2 : 12;
    int halves = 0;
    for (int i = 0; i < kReads; ++i) halves += is_half() ? 1 : 0;
    EXPECT_EQ(halves, 0) << "of " << kReads << " reads: " << what;
  }
};

TEST_F(OneMomentConcurrencyTest, NoReadSeesHalfABatch) {
  std::atomic<bool> stop = false;
  std::atomic<int64_t> written = 1;
  std::jthread writer([&] {
    while (!stop) {
      const int64_t n = ++written;
      std::vector<BatchEntry> entries = BatchOf(n);
      AppendMoves(n, entries);
      Apply(entries);
    }
  });
  const auto several = [&](const std::string& text, uint32_t page_rows) {
    Count(text + (page_rows == 0 ? ", unpaged" : ", one page"), [&] { return Read(text, page_rows).size() != 1; });
  };
  for (const char* text : kRowReads) {
    several(text, 50'000);
    several(text, 0);
  }
  for (const char* where : {"ks.wide WHERE p = 0", "ks.wide", "ks.buckets WHERE ts >= 0", "ks.found WHERE tag = 1",
                            "ks.by_tag WHERE tag = 1"}) {
    several(std::string("SELECT min(v), max(v) FROM ") + where, 5'000);
  }
  several("SELECT v FROM ks.wide WHERE p IN (0, 1) ORDER BY g", 0);
  several("SELECT max(v), min(s) FROM ks.wide WHERE p = 0 GROUP BY p, g", 5'000);
  several("SELECT max(v) FROM ks.by_tag GROUP BY tag, p", 5'000);
  Count("count of rows that come and go in twos",
        [&] { return *Read("SELECT count(*) FROM ks.wide", 5'000).begin() % 2 != 0; });
  Count("sum over partitions",
        [&] { return Read("SELECT sum(v) FROM ks.spread", 5'000) != std::set<int64_t>{kAmount * kPartitions}; });
  const int64_t before = written;
  // Waits for one more write, which can take a while on a busy machine.
  for (int i = 0; i < 1'000 && written == before; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_GT(written, before) << "the writer has stopped early";
  stop = true;
}

}  // namespace
}  // namespace widerow
