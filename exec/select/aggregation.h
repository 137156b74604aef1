// Combines the rows of one group into one row: aggregates cover all rows, other values come from the first row. Used by
// one thread.
#pragma once

#include "exec/rows/rows_writer.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

class Aggregation {
 public:
  // Borrows the plan.
  explicit Aggregation(const SelectPlan& plan);

  // Adds the context's row.
  Status Add(const EvaluationContext& context);
  // True if two Aggregations over parts of the rows can be combined with Merge.
  bool merges() const;
  // Adds the rows of `later`, which come after the rows of this one.
  void Merge(Aggregation later);
  // Writes the group's row and starts an empty group. Works for a group without rows, too.
  Status Finish(EvaluationContext context, RowsWriter& rows);

 private:
  const CallExpression* Aggregate(size_t i) const;
  void MakeStates();

  const SelectPlan& plan_;
  std::vector<std::unique_ptr<AggregateState>> states_;  // By index in group_values; null if it is no aggregate.
  std::vector<Value> values_;  // The values that are no aggregates, from the group's first row.
  // Scratch space of the aggregate being evaluated.
  std::vector<Bytes> scratch_;
  std::vector<ValueView> arguments_;
  bool any_ = false;
};

}  // namespace widerow
