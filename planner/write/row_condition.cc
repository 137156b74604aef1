#include "planner/write/row_condition.h"

#include <algorithm>

#include "planner/terms/planning.h"

namespace widerow {
namespace {

bool HasCondition(const ModifyPlan& plan) { return plan.condition != RowCondition::kNone; }

}  // namespace

bool ModifyPlan::sets_statics() const {
  return std::any_of(operations.begin(), operations.end(), [&](const CellOperation& operation) {
    return table->columns[operation.column].kind == ColumnKind::kStatic;
  });
}

bool BatchPlan::conditional() const { return std::any_of(statements.begin(), statements.end(), HasCondition); }

Error TimestampOfCondition(SourceRange timestamp) {
  return InvalidAt(timestamp, "Cannot provide custom timestamp for conditional updates",
                   "the server gives them one that is newer than what it found");
}

Status RefuseTimestampOfCondition(const ModifyPlan& plan) {
  if (!HasCondition(plan) || !plan.timestamp) return OkStatus();
  return TimestampOfCondition(plan.timestamp->range);
}

Status CheckNotNull(const ModifyPlan& plan, SourceRange range) {
  const TableSchema& table = *plan.table;
  std::vector<const CellOperation*> first_of(table.columns.size());
  for (const CellOperation& operation : plan.operations) {
    if (first_of[operation.column] == nullptr) first_of[operation.column] = &operation;
  }
  for (uint32_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    if (!column.not_null || column.is_key() || column.is_generated()) continue;
    const CellOperation* const operation = first_of[i];
    const bool given = operation != nullptr;
    if (given &&
        (operation->kind == CellOperation::Kind::kDelete || (operation->value && IsNullConstant(*operation->value)))) {
      return InvalidAt(operation->range, "Invalid null value for column " + column.name + ": it is NOT NULL");
    }
    const bool makes_row = plan.kind == ModifyPlan::Kind::kInsert ||
                           (plan.kind == ModifyPlan::Kind::kUpdate && plan.condition != RowCondition::kExists);
    if (given || !makes_row || !plan.names_rows()) continue;
    return InvalidAt(range, "Column " + column.name + " is missing: it is NOT NULL",
                     plan.kind == ModifyPlan::Kind::kInsert
                         ? "give it a value"
                         : "UPDATE may make the row: set " + column.name + " too, or add IF EXISTS");
  }
  return OkStatus();
}

}  // namespace widerow
