// Conditions on columns (planner/write/column_condition.h), bound to values and checked against a stored row.
#pragma once

#include <vector>

#include "exec/rows/scanned_row.h"
#include "planner/plan.h"

namespace widerow {

// Borrows from the plan.
struct BoundCondition {
  const ColumnCondition* condition = nullptr;
  Value element;              // The key in a map, or the index in a list as int.
  std::vector<Value> values;  // One value; any number for IN.
};

// Evaluates the values of one condition. Fails, with Cassandra's sentences, for an unset value, for a null where the
// operator needs a value, and for a negative index. These errors do not depend on the row.
Result<BoundCondition> BindCondition(const ColumnCondition& condition, const TableSchema& table,
                                     const EvaluationContext& context);

// True if the condition holds for `row`. A missing row has null in all columns. A collection without elements counts as
// null.
Result<bool> Holds(const BoundCondition& bound, const TableSchema& table, ScannedRow& row);

}  // namespace widerow
