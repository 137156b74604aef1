#include <algorithm>

#include "planner/cell_operation.h"
#include "planner/modified_rows.h"
#include "planner/plan_statements.h"
#include "planner/prepare_attribute.h"
#include "planner/row_condition.h"

namespace widerow {
namespace {

// c = x, as opposed to c = c + x, c[k] = x and c.f = x, which may stand beside each other.
bool SetsWhole(const Assignment& assignment) {
  return assignment.kind == Assignment::Kind::kSet && !std::holds_alternative<Arithmetic>(assignment.value.node);
}

bool Compatible(const Assignment& a, const Assignment& b) {
  if (SetsWhole(a) || SetsWhole(b)) return false;
  return !(a.field && b.field && a.field->text == b.field->text);
}

Status CheckCompatible(const std::vector<Assignment>& assignments) {
  for (size_t i = 0; i < assignments.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (assignments[i].column != assignments[j].column || Compatible(assignments[i], assignments[j])) continue;
      return Error{.code = ErrorCode::kSyntaxError,
                   .message = "Multiple incompatible setting of column " + assignments[i].column.text,
                   .range = assignments[i].range};
    }
  }
  return OkStatus();
}

}  // namespace

Result<ModifyPlan> PlanUpdate(const UpdateStatement& statement, SourceRange range, Planning& planning) {
  WR_RETURN_IF_ERROR(CheckCompatible(statement.assignments));
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  if (!statement.conditions.empty()) return NotSupportedYet(statement.conditions[0].range, "IF conditions", true);
  ModifyPlan plan;
  plan.kind = ModifyPlan::Kind::kUpdate;
  plan.table = planning.table;
  if (statement.if_exists) plan.condition = RowCondition::kExists;
  bool only_statics = true;
  for (const Assignment& assignment : statement.assignments) {
    WR_ASSIGN_OR_RETURN(CellOperation operation, PrepareAssignment(assignment, planning));
    only_statics = only_statics && planning.table->columns[operation.column].kind == ColumnKind::kStatic;
    plan.operations.push_back(std::move(operation));
  }
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> where, ResolveWriteWhere(statement.where, plan.kind, planning));
  const SourceRange at = statement.where.empty()
                             ? range
                             : SourceRange{statement.where.front().range.begin, statement.where.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(where), {plan.kind, only_statics, at}, plan));
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  WR_ASSIGN_OR_RETURN(plan.ttl, PrepareTtl(statement.using_clause, planning));
  WR_RETURN_IF_ERROR(RefuseTimestampOfCondition(plan));
  return plan;
}

}  // namespace widerow
