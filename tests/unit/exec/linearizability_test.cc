// Tests the checker that conditional_concurrency_test.cc uses: it must accept histories that are possible, and refuse
// those that are not.
#include "tests/unit/exec/linearizability.h"

#include <gtest/gtest.h>

#include "tests/unit/exec/two_rows.h"

namespace widerow {
namespace {

using Operation = TwoRows::Operation;
using Kind = Operation::Kind;
using Checker = LinearizabilityChecker<TwoRows>;

Operation Read(std::optional<int> first, std::optional<int> second = {}) { return {.seen = {first, second}}; }
Operation Insert(int value) {
  return {.kind = Kind::kInsert, .rows = {true, false}, .values = {value, 0}, .applied = true};
}
Operation InsertRefused(int seen) { return {.kind = Kind::kInsert, .rows = {true, false}, .seen = {seen, {}}}; }
Operation InsertBoth(int value) {
  return {.kind = Kind::kInsert, .rows = {true, true}, .values = {value, value}, .applied = true};
}
Operation Update(int value, bool applied) {
  return {.kind = Kind::kUpdate, .rows = {true, false}, .values = {value, 0}, .applied = applied};
}
Operation Compare(std::optional<int> expected, int value, bool applied, std::optional<int> seen = {}) {
  return {.kind = Kind::kCompare,
          .rows = {true, false},
          .values = {value, 0},
          .expected = {expected, {}},
          .applied = applied,
          .seen = {seen, {}}};
}
Operation Delete(bool applied) { return {.kind = Kind::kDelete, .rows = {true, false}, .applied = applied}; }

struct TimedOperation {
  Operation operation;
  uint64_t begin, end;
};
bool Linearizable(const std::vector<TimedOperation>& history) {
  Checker checker;
  for (const TimedOperation& timed : history) checker.Add(timed.operation, timed.begin, timed.end);
  return checker.Check();
}

TEST(Linearizability, TakesWhatCouldHaveHappened) {
  EXPECT_TRUE(Linearizable({}));
  EXPECT_TRUE(Linearizable({{Insert(1), 1, 2}, {Read(1), 3, 4}, {Delete(true), 5, 6}, {Read({}), 7, 8}}));
  // Operations that overlap in time may have run in either order.
  EXPECT_TRUE(Linearizable({{Insert(1), 1, 6}, {Read({}), 2, 3}, {Read(1), 4, 5}}));
  EXPECT_TRUE(
      Linearizable({{Compare({}, 1, true), 1, 2}, {Compare(1, 2, true), 3, 8}, {Compare(1, 3, false, 2), 4, 7}}));
  // An insert is refused because it finds the row of another insert, which began later.
  EXPECT_TRUE(Linearizable({{InsertRefused(2), 1, 4}, {Insert(2), 2, 3}}));
  // Only the order delete, insert 2, update 3 explains the reads. So the search must undo earlier choices.
  EXPECT_TRUE(Linearizable({{Insert(1), 1, 2},
                            {Update(3, true), 3, 20},
                            {Insert(2), 4, 19},
                            {Delete(true), 5, 18},
                            {Read(1), 6, 7},
                            {Read({}), 8, 9},
                            {Read(2), 10, 11},
                            {Read(3), 12, 13}}));
}

TEST(Linearizability, FindsWhatCouldNot) {
  EXPECT_FALSE(Linearizable({{Read(1), 1, 2}})) << "a value that nobody wrote";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Read({}), 3, 4}})) << "a read of the past";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 3}, {Insert(2), 2, 4}})) << "two inserts of one row";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {InsertRefused(7), 3, 4}})) << "a refusal that shows another row";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Update(2, false), 3, 4}})) << "a row that was there was not found";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Update(2, true), 3, 10}, {Read(2), 4, 5}, {Read(1), 6, 7}}))
      << "two reads during an update: the second goes back";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Delete(true), 3, 8}, {Delete(true), 4, 9}}))
      << "one row deleted twice";
  EXPECT_FALSE(Linearizable({{InsertBoth(1), 1, 4}, {Read(1, {}), 2, 3}})) << "half a batch";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Compare(1, 2, true), 3, 6}, {Compare(1, 3, true), 4, 5}}))
      << "two of one value: the second does not find it any more";
  EXPECT_FALSE(Linearizable({{Insert(1), 1, 2}, {Compare(1, 2, false, 1), 3, 4}}))
      << "refused by the value that was asked for";
}

}  // namespace
}  // namespace widerow
