#include "history.h"

#include <gtest/gtest.h>

namespace widerow::powercut {
namespace {

class HistoryTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kThreads = 2;
  const WorkloadShape shape_{.seed = 5, .threads = kThreads};

  // Adds `count` operations of the thread. All but the last `open` ones are answered.
  void Run(History& history, uint32_t thread, uint64_t count, uint64_t open = 0, uint64_t time = 1) {
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t number = history.next_number(thread);
      history.Take({Mark::kBegun, thread, number}, {}, time++);
      if (i + open < count) history.Take({Mark::kAnswered, thread, number}, {}, time++);
    }
  }
  // Returns the content after the first `count` operations of the thread, without the operations in `missing`.
  Contents After(uint32_t thread, uint64_t count, uint64_t missing = 0) {
    Contents contents;
    std::vector<RowKey> touched;
    for (uint64_t number = 1; number <= count; ++number) {
      if (number != missing) ApplyTo(contents, MakeOperation(shape_, thread, number), touched);
    }
    return contents;
  }
  bool Fits(const History& history, const Contents& zero, const Contents& one) {
    return history.Contradiction({zero, one}, true, true).empty();
  }
  History New(Durability durability) {
    History history(shape_, durability);
    for (uint64_t i = 0; i < 2; ++i) {
      history.Take({Mark::kBegun, kSetupThread, i}, {}, 0);
      history.Take({Mark::kAnswered, kSetupThread, i}, {}, 0);
    }
    return history;
  }
  // Returns the number of a batch that only inserts rows into the shared table. The next operation
  // changes something, but none of these rows.
  uint64_t BatchOf(uint32_t thread) {
    for (uint64_t number = 20;; ++number) {
      const Operation operation = MakeOperation(shape_, thread, number);
      bool inserts = operation.changes.size() > 1;
      for (const Change& change : operation.changes) {
        inserts = inserts && change.kind == Change::kInsert && change.table == TableKind::kWide;
      }
      const Contents without = After(thread, number + 1, number);
      if (inserts && without != After(thread, number + 1) && without != After(thread, number - 1)) return number;
    }
  }
};

TEST_F(HistoryTest, WhatWasAnsweredMustBeThereAndNoMoreThanWasBegun) {
  History history = New(Durability::kSync);
  Run(history, 0, 40, 1);
  Run(history, 1, 30);
  EXPECT_TRUE(Fits(history, After(0, 39), After(1, 30)));
  EXPECT_TRUE(Fits(history, After(0, 40), After(1, 30)));
  EXPECT_FALSE(Fits(history, After(0, 20), After(1, 30)));
  EXPECT_FALSE(Fits(history, After(0, 39), After(1, 45)));
  EXPECT_FALSE(history.Contradiction({After(0, 39), After(1, 30)}, true, false).empty()) << "a table is gone";
}

TEST_F(HistoryTest, HalfABatchIsNeverRight) {
  const uint64_t batch = BatchOf(0);
  for (const Durability durability : {Durability::kSync, Durability::kPeriodic, Durability::kNone}) {
    History history = New(durability);
    Run(history, 0, batch, 1);
    Contents half = After(0, batch - 1);
    const Operation operation = MakeOperation(shape_, 0, batch);
    const Change& change = operation.changes.front();
    RowState& row = half[{change.table, change.p, change.c}];
    row.marker = true;
    row.op = operation.id;
    EXPECT_FALSE(Fits(history, half, {}));
    EXPECT_TRUE(Fits(history, After(0, batch), {}));
  }
}

TEST_F(HistoryTest, WeakerModesLoseFromTheEndOnly) {
  History history = New(Durability::kNone);
  const uint64_t all = BatchOf(0) + 1;
  Run(history, 0, all, 0, 1);
  Run(history, 1, 40, 0, 1'000);  // All these operations began after the last answer to thread 0.
  EXPECT_TRUE(Fits(history, After(0, 17), After(1, 0)));
  EXPECT_TRUE(Fits(history, After(0, all), After(1, 33)));
  EXPECT_FALSE(Fits(history, After(0, 17), After(1, 33))) << "a hole in the middle";
  EXPECT_FALSE(Fits(history, After(0, all, BatchOf(0)), After(1, 0))) << "a hole in one thread's operations";
}

TEST_F(HistoryTest, WhatADeadProcessHadUnderWayMayBeMissing) {
  const uint64_t batch = BatchOf(0);
  History history = New(Durability::kSync);
  Run(history, 0, batch, 1);
  history.Take({Mark::kLife, kSetupThread, kSetupThread}, {}, 900);
  Run(history, 0, 3, 0, 1'000);
  EXPECT_TRUE(Fits(history, After(0, batch + 3), {}));
  EXPECT_TRUE(Fits(history, After(0, batch + 3, batch), {}));
  EXPECT_FALSE(Fits(history, After(0, batch), {}));
}

TEST_F(HistoryTest, WhatWasRefusedChangesNothing) {
  // A CREATE TABLE fails, so the next write to the table is refused. But the CREATE TABLE has made the table, and a
  // restart finds it.
  const auto find = [&](const auto& wanted) {
    for (uint64_t number = 1;; ++number) {
      if (wanted(MakeOperation(shape_, 0, number))) return number;
    }
  };
  const uint64_t create = find([](const Operation& operation) { return operation.kind == Operation::kCreateTable; });
  const uint64_t write = find([](const Operation& operation) {
    return operation.changes.size() == 1 && operation.changes[0].kind == Change::kInsert &&
           operation.changes[0].table != TableKind::kWide;
  });
  ASSERT_LT(create, write);
  History history = New(Durability::kSync);
  for (uint64_t number = 1; number <= write; ++number) {
    history.Take({Mark::kBegun, 0, number}, {}, 2 * number);
    history.Take({number == create  ? Mark::kFailed
                  : number == write ? Mark::kRefused
                                    : Mark::kAnswered,
                  0, number},
                 {}, 2 * number + 1);
  }
  EXPECT_TRUE(Fits(history, After(0, write - 1), {}));
  EXPECT_TRUE(Fits(history, After(0, write, create), {}));
  EXPECT_FALSE(Fits(history, After(0, write), {}));
}

TEST_F(HistoryTest, WhatWasSeenOnceStays) {
  History history = New(Durability::kSync);
  const uint64_t batch = BatchOf(0);
  Run(history, 0, batch, 1);
  EXPECT_EQ(history.Settle({After(0, batch - 1), {}}, true, true), "");
  EXPECT_TRUE(Fits(history, After(0, batch - 1), {}));
  EXPECT_FALSE(Fits(history, After(0, batch), {}));
  EXPECT_EQ(history.next_number(0), batch + 1);
}

}  // namespace
}  // namespace widerow::powercut
