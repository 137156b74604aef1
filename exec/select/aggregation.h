// Combines the rows of one group into one row: aggregates cover all rows, other values come from the first row. Used by
// one thread.
#pragma once

#include "base/mutex.h"
#include "exec/rows/rows_writer.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

// Counts the memory of the values that Aggregations keep until they write their next row. Several threads may share it,
// as long as nobody writes rows meanwhile.
class KeptRoom {
 public:
  // Borrows the RowsWriter of the answer.
  explicit KeptRoom(RowsWriter& rows) : rows_(rows) {}
  // Add fails if there is no memory for `bytes` more, or if the result would become too large with them.
  Status Add(size_t bytes) WR_EXCLUDES(mutex_);
  void Remove(size_t bytes) WR_EXCLUDES(mutex_);
  // Fails if there is no memory for `bytes` that are needed for a moment, besides the kept ones.
  Status Ask(size_t bytes) WR_EXCLUDES(mutex_);

 private:
  RowsWriter& rows_;
  Mutex mutex_;
  size_t kept_ WR_GUARDED_BY(mutex_) = 0;
};

class Aggregation {
 public:
  // Borrows the plan and the room.
  Aggregation(const SelectPlan& plan, KeptRoom& room);

  // Adds the context's row. Fails as KeptRoom::Add does.
  Status Add(const EvaluationContext& context);
  // True if two Aggregations over parts of the rows can be combined with Merge.
  bool merges() const;
  // Adds the rows of `later`, which come after the rows of this one.
  void Merge(Aggregation later);
  // Writes the group's row and starts an empty group. Works for a group without rows, too. Fails as
  // RowsWriter::MakeRoom does.
  Status Finish(EvaluationContext context, RowsWriter& rows);

 private:
  const CallExpression* Aggregate(size_t i) const;
  void MakeStates();
  // Counts `bytes` more of kept values.
  Status Keep(size_t bytes) {
    held_ += bytes;
    return held_ <= counted_ ? OkStatus() : CountKept();
  }
  Status CountKept();

  // The values of a group are not counted until they have this size.
  static constexpr size_t kSmallBytes = 64u << 10;

  const SelectPlan& plan_;
  KeptRoom& room_;
  std::vector<std::unique_ptr<AggregateState>> states_;  // By index in group_values; null if it is no aggregate.
  std::vector<Value> values_;  // The values that are no aggregates, from the group's first row.
  // Scratch space of the aggregate being evaluated.
  std::vector<Bytes> scratch_;
  std::vector<ValueView> arguments_;
  bool any_ = false;
  // held_: the bytes of the kept values. counted_: kSmallBytes, and the bytes that room_ has counted.
  size_t held_ = 0, counted_ = kSmallBytes;
};

}  // namespace widerow
