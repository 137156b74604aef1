// Many threads increment counters while memtables are folded. Each answered increment must have happened once, also
// after the process was killed.
#include <gtest/gtest.h>

#include <future>
#include <numeric>
#include <thread>

#include "tests/unit/exec/bound_values.h"
#include "tests/unit/reporting_child.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

constexpr int kCounterThreads = 8;
// The key of a counter that all threads increment. Each thread also has a counter of its own, whose key is the thread's
// number.
constexpr int kShared = 1'000;
constexpr size_t kCounterMemtableBytes = 64u << 10;

class Counters {
 public:
  explicit Counters(const ScratchDirectory& directory, Durability durability) {
    auto storage = OpenLmdbEngine({.directory = directory.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .durability = durability,
                                   .memtable_bytes = kCounterMemtableBytes});
    EXPECT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage));
    for (const char* statement :
         {"CREATE KEYSPACE IF NOT EXISTS ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
          "CREATE TABLE IF NOT EXISTS ks.t (k int PRIMARY KEY, n counter, m counter)",
          "CREATE TABLE IF NOT EXISTS ks.filler (k int PRIMARY KEY, v blob)"}) {
      EXPECT_TRUE(engine_->Execute(statement, {}).ok());
    }
    add_ = Prepare("UPDATE t SET n = n + ?, m = m - ? WHERE k = ?");
    add_twice_ = Prepare(
        "BEGIN COUNTER BATCH UPDATE t SET n = n + ?, m = m - ? WHERE k = ?; UPDATE t SET n = n + ?, m = m - ? "
        "WHERE k = ?; APPLY BATCH");
    fill_ = Prepare("INSERT INTO filler (k, v) VALUES (?, ?)");
  }

  void Add(int key, int64_t count) { Run(*add_, {Count(count), Count(count), Int(key)}); }
  // Sends an increment as a connection does: no thread waits for its answer.
  std::future<bool> AddLater(int key, int64_t count) {
    auto done = std::make_shared<std::promise<bool>>();
    std::future<bool> answered = done->get_future();
    const std::vector<BoundValue> values{Count(count), Count(count), Int(key)};
    RequestParameters parameters{.keyspace = "ks"};
    parameters.values = values;
    const auto set = [done](const Result<Outcome>& outcome) { done->set_value(outcome.ok()); };
    EXPECT_TRUE(engine_->Submit(add_, parameters, set).value());
    return answered;
  }
  void AddTwice(int key, int64_t count) {
    Run(*add_twice_, {Count(count), Count(count), Int(key), Count(count), Count(count), Int(key)});
  }
  void Fill(int key) { Run(*fill_, {Int(key), {BoundValue::Kind::kValue, Bytes(1'000, 'f')}}); }

  // Returns n, or 0 if nothing was added. m must be the opposite number of n.
  int64_t Value(int key) {
    const Result<Outcome> outcome = engine_->Execute("SELECT n, m FROM ks.t WHERE k = " + std::to_string(key), {});
    EXPECT_TRUE(outcome.ok());
    PageReader reader(std::get<RowsPage>(outcome->result));
    std::vector<ValueView> row;
    if (!reader.Next(row)) return 0;
    EXPECT_EQ(DecodeInteger(*row[0]), -DecodeInteger(*row[1]));
    return DecodeInteger(*row[0]);
  }

 private:
  PreparedPtr Prepare(const std::string& text) {
    const Result<PreparedPtr> statement = engine_->Prepare(text, "ks");
    EXPECT_TRUE(statement.ok()) << text << ": " << statement.error().message;
    return statement.value();
  }
  void Run(const PreparedStatement& statement, std::vector<BoundValue> values) {
    RequestParameters parameters{.keyspace = "ks"};
    parameters.values = std::move(values);
    const Result<Outcome> outcome = engine_->ExecutePrepared(statement, parameters);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  }

  std::unique_ptr<Engine> engine_;
  PreparedPtr add_, add_twice_, fill_;
};

TEST(CounterConcurrency, EveryIncrementCountsOnce) {
  constexpr int kRounds = 250;
  const ScratchDirectory directory;
  {
    Counters counters(directory, Durability::kNone);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kCounterThreads; ++t) {
      threads.emplace_back([&, t] {
        int64_t before = 0;
        for (int i = 0; i < kRounds; ++i) {
          counters.Add(kShared, 1);
          counters.AddTwice(kShared, 10);
          std::future<bool> later = counters.AddLater(kShared, 100);
          counters.Add(t, i);
          counters.Fill(t * kRounds + i);
          EXPECT_TRUE(later.get());
          const int64_t now = counters.Value(kShared);
          EXPECT_GE(now, before + 121) << "what was answered is seen, and nothing that was seen goes away";
          before = now;
        }
      });
    }
    threads.clear();
    EXPECT_EQ(counters.Value(kShared), int64_t{kCounterThreads} * kRounds * 121);
  }
  Counters again(directory, Durability::kNone);
  EXPECT_EQ(again.Value(kShared), int64_t{kCounterThreads} * kRounds * 121);
  for (int t = 0; t < kCounterThreads; ++t) EXPECT_EQ(again.Value(t), int64_t{kRounds} * (kRounds - 1) / 2);
}

// A thread of the child process sends this message after each answer.
struct Answered {
  int thread = 0;
  int64_t count = 0;
};

void AddForEver(const ScratchDirectory& directory, int reports) {
  Counters counters(directory, Durability::kPeriodic);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kCounterThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t count = 1;; ++count) {
        counters.Add(t, 1);
        counters.Add(kShared, 1);
        if (count % 3 == 0) counters.Fill(static_cast<int>(count % 500));
        const Answered answered{t, count};
        if (write(reports, &answered, sizeof answered) != sizeof answered) _exit(1);
      }
    });
  }
}

TEST(CounterKills, AnsweredIncrementsSurvive) {
  const ScratchDirectory directory;
  // The value of each thread's own counter, and the value of the shared counter.
  std::vector<int64_t> stored(kCounterThreads, 0);
  int64_t stored_shared = 0;
  for (int round = 0; round < 4; ++round) {
    std::vector<int64_t> answered(kCounterThreads, 0);
    {
      ReportingChild child([&](int reports) { AddForEver(directory, reports); });
      Answered report;
      for (int i = 0; i < 1'500 && child.Read(report); ++i) answered[static_cast<size_t>(report.thread)] = report.count;
      child.Kill();
      while (child.Read(report)) answered[static_cast<size_t>(report.thread)] = report.count;
    }
    ASSERT_GT(std::accumulate(answered.begin(), answered.end(), int64_t{0}), 0);
    Counters counters(directory, Durability::kPeriodic);
    for (int t = 0; t < kCounterThreads; ++t) {
      const int64_t value = counters.Value(t),
                    least = stored[static_cast<size_t>(t)] + answered[static_cast<size_t>(t)];
      EXPECT_GE(value, least) << "key " << t << ", round " << round;
      EXPECT_LE(value, least + 1) << "one increment at most was under way";
      stored[static_cast<size_t>(t)] = value;
    }
    const int64_t shared = counters.Value(kShared);
    const int64_t least = stored_shared + std::accumulate(answered.begin(), answered.end(), int64_t{0});
    EXPECT_GE(shared, least);
    EXPECT_LE(shared, least + kCounterThreads);
    stored_shared = shared;
  }
}

}  // namespace
}  // namespace widerow
