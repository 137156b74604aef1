// Conditions on columns (planner/write/column_condition.h) with their values, asked of a row where it is read.
#pragma once

#include <vector>

#include "exec/rows/scanned_row.h"
#include "planner/plan.h"

namespace widerow {

// Borrows from the plan.
struct BoundCondition {
  const ColumnCondition* condition = nullptr;
  Value element;              // The key in a map, or the index in a list, as int.
  std::vector<Value> values;  // One; of IN any number.
};

// The values of one condition. Errors are Cassandra's: unset values, a null where the operator needs a value, a negative index.
// They are found here, whatever the row will be.
Result<BoundCondition> BindCondition(const ColumnCondition& condition, const TableSchema& table,
                                     const EvaluationContext& context);

// Whether it holds. A row that is not there has nulls in all its columns; so has a collection without elements.
Result<bool> Holds(const BoundCondition& bound, const TableSchema& table, ScannedRow& row);

}  // namespace widerow
