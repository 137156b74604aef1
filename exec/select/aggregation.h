// The rows of one group on their way to one: aggregates over all of them, other values of the first.
#pragma once

#include "exec/rows/rows_writer.h"
#include "planner/plan.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

class Aggregation {
 public:
  // Borrows the plan.
  explicit Aggregation(const SelectPlan& plan);

  // Takes in the context's row.
  Status Add(const EvaluationContext& context);
  // Whether parts of the rows may each have an Aggregation, to be put together by Merge.
  bool merges() const;
  // `later` has the rows that come after this one's.
  void Merge(Aggregation later);
  // Writes the group's row, and begins anew. Without any row, too.
  Status Finish(EvaluationContext context, RowsWriter& rows);

 private:
  const CallExpression* Aggregate(size_t i) const;
  void MakeStates();

  const SelectPlan& plan_;
  std::vector<std::unique_ptr<AggregateState>> states_;  // By group value; null: not an aggregate.
  std::vector<Value> values_;                            // Of the others, those of the first row.
  // Of the aggregate at hand.
  std::vector<Bytes> scratch_;
  std::vector<ValueView> arguments_;
  bool any_ = false;
};

}  // namespace widerow
