// Many threads run conditional writes and reads while memtables are folded. The test looks for an order of the
// operations that explains all answers. Each operation must take effect between its begin and its end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "tests/unit/exec/bound_values.h"
#include "tests/unit/exec/linearizability.h"
#include "tests/unit/exec/two_rows.h"
#include "tests/unit/scratch_engine.h"

namespace widerow {
namespace {

using Operation = TwoRows::Operation;
using Kind = Operation::Kind;

constexpr int kThreads = 10, kKeys = 4, kOperationsPerThread = 1'500;
constexpr size_t kMemtableBytes = 64u << 10, kPaddingBytes = 900;
constexpr auto kTimeMax = std::chrono::seconds(4);

struct Timed {
  Operation operation;
  int key = 0;
  uint64_t begin = 0, end = 0;
};

class Statements {
 public:
  explicit Statements(Engine& engine) : engine_(engine) {
    const std::string insert = "INSERT INTO r (k, c, v, p) VALUES (?, ?, ?, ?) IF NOT EXISTS";
    const std::string update = "UPDATE r SET v = ? WHERE k = ? AND c = ? IF EXISTS";
    const std::string remove = "DELETE FROM r WHERE k = ? AND c = ? IF EXISTS";
    const std::string compare = "UPDATE r SET v = ? WHERE k = ? AND c = ? IF v = ?";
    for (const std::string& one : {insert, update, remove, compare}) {
      single_.push_back(Prepare(one));
      both_.push_back(Prepare("BEGIN BATCH " + one + "; " + one + "; APPLY BATCH"));
    }
    read_ = Prepare("SELECT c, v FROM r WHERE k = ?");
  }

  // Runs the operation and stores its answer in it.
  void Run(int key, Operation& operation) const {
    const auto kind = static_cast<size_t>(operation.kind);
    RequestParameters parameters{.keyspace = "ks"};
    const bool both = operation.rows[0] && operation.rows[1];
    if (operation.kind == Kind::kRead) parameters.values.push_back(Int(key));
    for (size_t row = 0; row < 2; ++row) {
      if (operation.rows[row]) Bind(operation, key, row, parameters.values);
    }
    const PreparedPtr& statement = operation.kind == Kind::kRead ? read_ : (both ? both_ : single_)[kind - 1];
    const Result<Outcome> outcome = engine_.ExecutePrepared(*statement, parameters);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    TakeAnswer(std::get<RowsPage>(outcome->result), operation);
  }

 private:
  PreparedPtr Prepare(const std::string& text) {
    const Result<PreparedPtr> statement = engine_.Prepare(text, "ks");
    EXPECT_TRUE(statement.ok()) << text << ": " << statement.error().message;
    return statement.value();
  }

  static void Bind(const Operation& operation, int key, size_t row, std::vector<BoundValue>& values) {
    if (operation.kind == Kind::kUpdate || operation.kind == Kind::kCompare)
      values.push_back(Int(operation.values[row]));
    values.push_back(Int(key));
    values.push_back(Int(static_cast<int>(row)));
    const std::optional<int>& expected = operation.expected[row];
    if (operation.kind == Kind::kCompare) values.push_back(expected ? Int(*expected) : BoundValue{});
    if (operation.kind != Kind::kInsert) return;
    values.push_back(Int(operation.values[row]));
    values.push_back({BoundValue::Kind::kValue, Bytes(kPaddingBytes, 'p')});
  }

  static void TakeAnswer(const RowsPage& page, Operation& operation) {
    PageReader reader(page);
    for (std::vector<ValueView> row; reader.Next(row);) {
      // The columns of an answer depend on the operation:
      // - a read: c, v;
      // - a write that was applied: [applied];
      // - a refused write: [applied], k, c, p, v;
      // - a refused comparison of both rows: [applied], k, c, v;
      // - a refused comparison of one row: [applied], v.
      const bool compares = operation.kind == Kind::kCompare;
      const bool both = operation.rows[0] && operation.rows[1];
      size_t c = 0;
      if (operation.kind != Kind::kRead) {
        operation.applied = *row[0] == ByteView("\1", 1);
        if (row.size() == 1) return;
        ASSERT_EQ(row.size(), !compares ? 5u : both ? 4u : 2u);
        ASSERT_FALSE(operation.applied);
        c = 2;
      }
      ASSERT_TRUE(row.back()) << "a row without its value";
      const auto at =
          compares && !both ? (operation.rows[0] ? size_t{0} : size_t{1}) : static_cast<size_t>(DecodeInteger(*row[c]));
      operation.seen[at] = static_cast<int>(DecodeInteger(*row.back()));
    }
  }

  Engine& engine_;
  std::vector<PreparedPtr> single_, both_;  // The index is the Kind minus kInsert.
  PreparedPtr read_;
};

// Returns a random operation. `seen` has the rows as the thread last read them. A kCompare expects these values.
Operation RandomOperation(std::mt19937& random, int value, const TwoRows::State& seen) {
  Operation operation;
  const auto choice = random() % 10;
  if (choice < 3) return operation;
  operation.kind = choice < 5   ? Kind::kInsert
                   : choice < 6 ? Kind::kUpdate
                   : choice < 8 ? Kind::kCompare
                                : Kind::kDelete;
  const auto rows = random() % 3;
  operation.rows = {rows != 1, rows != 0};
  operation.values = {value, value + 1};
  if (operation.kind == Kind::kCompare) operation.expected = seen;
  return operation;
}

class ConditionalConcurrency : public ::testing::TestWithParam<Durability> {
 protected:
  ConditionalConcurrency() {
    auto storage = OpenLmdbEngine({.directory = directory_.path(),
                                   .map_bytes = uint64_t{1} << 34,
                                   .durability = GetParam(),
                                   .memtable_bytes = kMemtableBytes});
    EXPECT_TRUE(storage.ok()) << storage.error().message;
    engine_ = std::make_unique<Engine>(std::move(*storage));
    for (const char* statement :
         {"CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
          "CREATE TABLE ks.r (k int, c int, v int, p text, PRIMARY KEY (k, c))"}) {
      EXPECT_TRUE(engine_->Execute(statement, {}).ok());
    }
  }

  std::vector<Timed> RunThreads() {
    const Statements statements(*engine_);
    const auto deadline = std::chrono::steady_clock::now() + kTimeMax;
    std::atomic<uint64_t> clock{0};
    std::vector<std::vector<Timed>> histories(kThreads);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::mt19937 random(static_cast<unsigned>(20'240 + t));
        std::array<TwoRows::State, kKeys> seen;
        for (int i = 0; i < kOperationsPerThread && std::chrono::steady_clock::now() < deadline; ++i) {
          const auto key = random() % kKeys;
          Timed timed{.operation = RandomOperation(random, (t * kOperationsPerThread + i) * 2, seen[key]),
                      .key = static_cast<int>(key)};
          timed.begin = ++clock;
          statements.Run(timed.key, timed.operation);
          timed.end = ++clock;
          if (::testing::Test::HasFatalFailure()) return;
          if (timed.operation.kind == Kind::kRead) seen[key] = timed.operation.seen;
          histories[static_cast<size_t>(t)].push_back(timed);
        }
      });
    }
    threads.clear();
    std::vector<Timed> all;
    for (const std::vector<Timed>& history : histories) all.insert(all.end(), history.begin(), history.end());
    return all;
  }

  ScratchDirectory directory_;
  std::unique_ptr<Engine> engine_;
};

bool Linearizable(const std::vector<Timed>& history, int key) {
  LinearizabilityChecker<TwoRows> checker;
  for (const Timed& timed : history) {
    if (timed.key == key) checker.Add(timed.operation, timed.begin, timed.end);
  }
  return checker.Check();
}

TEST_P(ConditionalConcurrency, AnswersHaveAnOrder) {
  std::vector<Timed> history = RunThreads();
  ASSERT_GE(history.size(), static_cast<size_t>(kThreads));
  for (int key = 0; key < kKeys; ++key) EXPECT_TRUE(Linearizable(history, key)) << "key " << key;

  size_t applied = 0, refused = 0, swapped = 0, inserted_bytes = 0;
  for (const auto& [operation, key, begin, end] : history) {
    if (operation.kind == Kind::kRead) continue;
    ++(operation.applied ? applied : refused);
    if (operation.applied && operation.kind == Kind::kCompare) ++swapped;
    if (operation.applied && operation.kind == Kind::kInsert) inserted_bytes += kPaddingBytes;
  }
  EXPECT_GT(applied, 0u);
  EXPECT_GT(refused, 0u);
  EXPECT_GT(swapped, 0u);
  // Memtables are folded when they are full. A complete run has dozens of folds.
  if (history.size() == size_t{kThreads} * kOperationsPerThread) { EXPECT_GT(inserted_bytes, 8 * kMemtableBytes); }
  // The checker must notice a wrong answer. So change one answer to a value that no operation has written.
  for (Timed& timed : history) {
    if (timed.operation.kind != Kind::kRead || !timed.operation.seen[0]) continue;
    timed.operation.seen[0] = -1;
    EXPECT_FALSE(Linearizable(history, timed.key));
    break;
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, ConditionalConcurrency, ::testing::Values(Durability::kNone, Durability::kSync),
                         [](const auto& durability) {
                           return durability.param == Durability::kNone ? "None" : "Sync";
                         });

}  // namespace
}  // namespace widerow
