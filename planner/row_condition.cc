#include "planner/row_condition.h"

#include <algorithm>

namespace widerow {
namespace {

bool IsConditional(const ModifyPlan& plan) { return plan.condition != RowCondition::kNone; }

}  // namespace

bool ModifyPlan::sets_statics() const {
  return std::any_of(operations.begin(), operations.end(), [&](const CellOperation& operation) {
    return table->columns[operation.column].kind == ColumnKind::kStatic;
  });
}

bool BatchPlan::conditional() const { return std::any_of(statements.begin(), statements.end(), IsConditional); }

Status RefuseTimestampOfCondition(const ModifyPlan& plan) {
  if (!IsConditional(plan) || !plan.timestamp) return OkStatus();
  return InvalidAt(plan.timestamp->range, "Cannot provide custom timestamp for conditional updates",
                   "the server gives them one that is newer than what it found");
}

Status CheckConditionalBatch(const std::vector<const ModifyPlan*>& statements) {
  const auto conditional = [](const ModifyPlan* plan) { return IsConditional(*plan); };
  if (std::none_of(statements.begin(), statements.end(), conditional)) return OkStatus();
  for (const ModifyPlan* plan : statements) {
    if (plan->table == statements[0]->table) continue;
    return InvalidError("Batch with conditions cannot span multiple tables",
                        statements[0]->table->name + " and " + plan->table->name + ": send two batches");
  }
  return OkStatus();
}

}  // namespace widerow
