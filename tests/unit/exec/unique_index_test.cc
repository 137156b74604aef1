// Unique indexes under concurrent writes. Writers race for the same few values, and every answer is checked against the
// history: two rows never have the same value at the same time, and a refused write names a row that has the value.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <regex>
#include <set>
#include <thread>

#include "tests/unit/scratch_engine.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

constexpr int kRacers = 8, kRowsOfRacer = 4, kValues = 12, kRounds = 800;

// A time during which a row has a value. The row surely has the value from `taken` to `given_up`, and surely does not
// have it before `begin` or after `end`. All threads take the times from one shared counter.
struct Holding {
  int value = 0, row = 0;
  uint64_t begin = 0, taken = 0, given_up = ~uint64_t{0}, end = ~uint64_t{0};
};

// A write that was refused between `begin` and `end` because `row` has the value.
struct RefusedWrite {
  int value = 0, row = 0;
  uint64_t begin = 0, end = 0;
};

class UniqueIndexConcurrencyTest : public ::testing::Test {
 protected:
  UniqueIndexConcurrencyTest() : engine_(OpenEngine(directory_)) {
    Run("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    Run("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
  }

  Result<Outcome> Try(const std::string& statement) { return engine_->Execute(statement, {}); }
  Outcome Run(const std::string& statement) {
    Result<Outcome> outcome = Try(statement);
    EXPECT_TRUE(outcome.ok()) << statement << ": " << outcome.error().message;
    return outcome.ok() ? std::move(*outcome) : Outcome();
  }
  // Returns the rows of a SELECT of two int columns. A null is returned as -1.
  std::vector<std::pair<int, int>> Pairs(const std::string& select) {
    std::vector<std::pair<int, int>> pairs;
    const Outcome outcome = Run(select);
    PageReader reader(std::get<RowsPage>(outcome.result));
    std::vector<ValueView> row;
    const auto number = [](const ValueView& value) { return value ? static_cast<int>(DecodeInteger(*value)) : -1; };
    while (reader.Next(row)) pairs.emplace_back(number(row[0]), number(row[1]));
    return pairs;
  }
  // Returns true if no two rows have the same value.
  bool AllDiffer() {
    std::set<int> values;
    for (const auto& [row, value] : Pairs("SELECT k, v FROM ks.t")) {
      if (value >= 0 && !values.insert(value).second) return false;
    }
    return true;
  }

  const ScratchDirectory directory_;
  const std::unique_ptr<Engine> engine_;
};

// A thread with rows of its own. It takes values for these rows, and gives the values up again.
class Racer {
 public:
  Racer(Engine& engine, std::atomic<uint64_t>& clock, int number)
      : engine_(engine), clock_(clock), number_(number), random_(static_cast<unsigned>(number)) {}

  void Race() {
    for (int round = 0; round < kRounds; ++round) {
      const int row = number_ * kRowsOfRacer + static_cast<int>(random_() % kRowsOfRacer);
      if (held_.contains(row) && random_() % 2 == 0) {
        GiveUp(row);
      } else {
        Take(row, static_cast<int>(random_() % kValues));
      }
    }
  }

  std::vector<Holding> holdings;  // The holdings that have ended.
  std::vector<RefusedWrite> refusals;
  std::map<int, Holding> held_;  // The present holding of each row.
  std::string fault;             // The first unexpected answer.

 private:
  void GiveUp(int row) {
    const uint64_t begin = ++clock_;
    const std::string key = " WHERE k = " + std::to_string(row);
    const Result<Outcome> outcome =
        engine_.Execute(random_() % 2 == 0 ? "DELETE FROM ks.t" + key : "UPDATE ks.t SET v = null" + key, {});
    if (!outcome.ok()) return Fail(outcome.error().message);
    End(row, begin, ++clock_);
  }

  void Take(int row, int value) {
    const std::string number = std::to_string(row), with = std::to_string(value);
    const bool conditional = random_() % 3 == 0;
    const std::string statement = conditional ? "UPDATE ks.t SET v = " + with + " WHERE k = " + number + " IF k2 = null"
                                  : random_() % 2 == 0
                                      ? "INSERT INTO ks.t (k, v) VALUES (" + number + ", " + with + ")"
                                      : "BEGIN BATCH UPDATE ks.t SET v = " + with + " WHERE k = " + number +
                                            "; UPDATE ks.t SET k2 = null WHERE k = " + number + "; APPLY BATCH";
    const uint64_t begin = ++clock_;
    const Result<Outcome> outcome = engine_.Execute(statement, {});
    const uint64_t end = ++clock_;
    const std::optional<int> holder = HolderOf(outcome);
    if (holder) {
      refusals.push_back({value, *holder, begin, end});
    } else if (!outcome.ok()) {
      Fail(outcome.error().message);
    } else if (!held_.contains(row) || held_[row].value != value) {
      End(row, begin, end);
      held_[row] = {.value = value, .row = row, .begin = begin, .taken = end};
    }
  }

  void End(int row, uint64_t begin, uint64_t end) {
    const auto held = held_.find(row);
    if (held == held_.end()) return;
    held->second.given_up = begin;
    held->second.end = end;
    holdings.push_back(held->second);
    held_.erase(held);
  }

  // If a write was refused because another row has the value, returns that row. Otherwise returns nullopt.
  static std::optional<int> HolderOf(const Result<Outcome>& outcome) {
    if (!outcome.ok()) {
      static const std::regex kNamed("the row k = ([0-9]+) already has v");
      std::smatch found;
      if (!std::regex_search(outcome.error().message, found, kNamed)) return std::nullopt;
      return std::stoi(found[1]);
    }
    const auto* const page = std::get_if<RowsPage>(&outcome->result);
    std::vector<ValueView> row;
    if (page == nullptr || !PageReader(*page).Next(row) || *row[0] == ByteView("\1", 1)) return std::nullopt;
    return static_cast<int>(DecodeInteger(*row[1]));
  }

  void Fail(const std::string& what) {
    if (fault.empty()) fault = what;
  }

  Engine& engine_;
  std::atomic<uint64_t>& clock_;
  const int number_;
  std::mt19937 random_;
};

// Returns the number of pairs of holdings that surely overlap.
size_t CountOverlaps(const std::vector<Holding>& holdings) {
  size_t overlaps = 0;
  for (const Holding& a : holdings) {
    for (const Holding& b : holdings) {
      if (&a < &b && a.value == b.value && a.taken < b.given_up && b.taken < a.given_up) ++overlaps;
    }
  }
  return overlaps;
}

size_t CountUnfounded(const std::vector<RefusedWrite>& refusals, const std::vector<Holding>& holdings) {
  size_t unfounded = 0;
  for (const RefusedWrite& refusal : refusals) {
    const bool held = std::ranges::any_of(holdings, [&](const Holding& holding) {
      return holding.value == refusal.value && holding.row == refusal.row && holding.begin < refusal.end &&
             refusal.begin < holding.end;
    });
    unfounded += held ? 0 : 1;
  }
  return unfounded;
}

TEST_F(UniqueIndexConcurrencyTest, WritersRaceForTheSameValues) {
  Run("ALTER TABLE ks.t ADD k2 int");
  Run("CREATE UNIQUE INDEX t_v ON ks.t (v)");
  std::atomic<uint64_t> clock{0};
  std::vector<Racer> racers;
  for (int i = 0; i < kRacers; ++i) racers.emplace_back(*engine_, clock, i);
  {
    std::vector<std::jthread> threads;
    for (Racer& racer : racers) threads.emplace_back([&racer] { racer.Race(); });
  }
  std::vector<Holding> holdings;
  std::vector<RefusedWrite> refusals;
  std::map<int, int> held;
  for (const Racer& racer : racers) {
    EXPECT_EQ(racer.fault, "");
    holdings.insert(holdings.end(), racer.holdings.begin(), racer.holdings.end());
    refusals.insert(refusals.end(), racer.refusals.begin(), racer.refusals.end());
    for (const auto& [row, holding] : racer.held_) {
      holdings.push_back(holding);
      held[row] = holding.value;
    }
  }
  EXPECT_EQ(CountOverlaps(holdings), 0u);
  EXPECT_EQ(CountUnfounded(refusals, holdings), 0u);
  EXPECT_GT(refusals.size(), 100u);
  EXPECT_GT(holdings.size(), 100u);
  // The rows have the values that the answers say, and the index finds each of these rows.
  std::map<int, int> stored;
  for (const auto& [row, value] : Pairs("SELECT k, v FROM ks.t")) {
    if (value >= 0) stored[row] = value;
  }
  EXPECT_EQ(stored, held);
  for (const auto& [row, value] : held) {
    const auto found = Pairs("SELECT k, v FROM ks.t WHERE v = " + std::to_string(value));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first, row);
  }
}

// A unique index that CREATE INDEX has made allows no equal values, whatever was written while it was built.
TEST_F(UniqueIndexConcurrencyTest, NoDuplicateGetsInDuringABuild) {
  constexpr int kRows = 2'000, kRange = 2'000'000;
  std::atomic<bool> stop{false};
  std::vector<std::jthread> writers;
  for (unsigned i = 0; i < 3; ++i) {
    writers.emplace_back([&, i] {
      std::mt19937 random(i);
      while (!stop) {
        const auto row = std::to_string(random() % kRows), value = std::to_string(random() % kRange);
        // Some writes are refused while the index exists.
        (void)Try("INSERT INTO ks.t (k, v) VALUES (" + row + ", " + value + ")");
      }
    });
  }
  int made = 0, refused = 0;
  for (int i = 0; i < 12; ++i) {
    const Result<Outcome> created = Try("CREATE UNIQUE INDEX t_v ON ks.t (v)");
    if (!created.ok()) {
      EXPECT_NE(created.error().message.find("both have v = "), std::string::npos) << created.error().message;
      EXPECT_EQ(engine_->schema()->FindIndexedTable("ks", "t_v"), nullptr);
      ++refused;
    } else {
      EXPECT_TRUE(AllDiffer());
      EXPECT_TRUE(engine_->schema()->FindTable("ks", "t")->FindIndex("t_v")->built);
      Run("DROP INDEX ks.t_v");
      ++made;
    }
  }
  stop = true;
  writers.clear();
  EXPECT_GT(made, 0);
  // The writers have ended. The build of an index must now find the two equal values.
  Run("INSERT INTO ks.t (k, v) VALUES (5000, -7)");
  Run("INSERT INTO ks.t (k, v) VALUES (5001, -7)");
  const Result<Outcome> created = Try("CREATE UNIQUE INDEX t_v ON ks.t (v)");
  ASSERT_FALSE(created.ok());
}

// The error of a refused build names two rows, and the name of the index is free again.
TEST_F(UniqueIndexConcurrencyTest, ARefusedBuildLeavesNoIndex) {
  for (int i = 0; i < 600; ++i) Run("INSERT INTO ks.t (k, v) VALUES (" + std::to_string(i) + ", 5)");
  const Result<Outcome> created = Try("CREATE UNIQUE INDEX t_v ON ks.t (v)");
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().message.find("Cannot create unique index ks.t_v: the row k = "), 0u);
  EXPECT_NE(created.error().message.find(" both have v = 5"), std::string::npos);
  EXPECT_FALSE(engine_->schema()->FindTable("ks", "t")->has_derived());
  Run("CREATE INDEX t_v ON ks.t (v)");
}

}  // namespace
}  // namespace widerow
