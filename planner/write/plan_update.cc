#include "planner/counter_rules.h"
#include "planner/generated/derive_key.h"
#include "planner/statement/plan_statements.h"
#include "planner/terms/prepare_attribute.h"
#include "planner/where/view_where.h"
#include "planner/write/cell_operation.h"
#include "planner/write/column_condition.h"
#include "planner/write/modified_rows.h"
#include "planner/write/row_condition.h"

namespace widerow {
namespace {

// Refuses a TTL if the key is derived from columns outside of the key, because these would expire before the row.
// Static columns have no part in the row.
Status RefuseTtlOfSources(const ModifyPlan& plan) {
  const TableSchema& table = *plan.table;
  if (!plan.ttl || !plan.names_rows() || table.generated == nullptr || table.generated->key_sources.empty()) {
    return OkStatus();
  }
  return InvalidAt(plan.ttl->range,
                   "UPDATE with a TTL is not supported where the key is derived from columns outside of it",
                   table.columns[table.generated->key_sources[0]].name +
                       " would expire with what is updated: INSERT … USING TTL writes the whole row with one TTL");
}

}  // namespace

Result<ModifyPlan> PlanUpdate(const UpdateStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  ModifyPlan plan;
  plan.kind = ModifyPlan::Kind::kUpdate;
  plan.table = planning.table;
  // As in Cassandra, faults of USING come before those of the other clauses.
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  WR_ASSIGN_OR_RETURN(plan.ttl, PrepareTtl(statement.using_clause, planning));
  WR_RETURN_IF_ERROR(SetCondition(statement, planning, plan));
  bool only_statics = !AnyOn(plan.conditions, ColumnKind::kRegular, *planning.table);
  WR_RETURN_IF_ERROR(CheckCompiled(*planning.table));
  const bool conditional = plan.condition != RowCondition::kNone;
  for (const Assignment& assignment : statement.assignments) {
    WR_ASSIGN_OR_RETURN(CellOperation operation, PrepareAssignment(assignment, conditional, planning));
    WR_RETURN_IF_ERROR(CheckAssigned(operation, *planning.table));
    only_statics = only_statics && planning.table->columns[operation.column].kind == ColumnKind::kStatic;
    plan.operations.push_back(std::move(operation));
  }
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> where, ResolveWriteWhere(statement.where, plan.kind, planning));
  const SourceRange at = statement.where.empty()
                             ? range
                             : SourceRange{statement.where.front().range.begin, statement.where.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(where), {plan.kind, only_statics, at}, plan));
  WR_RETURN_IF_ERROR(CheckCounterStatement(plan));
  WR_RETURN_IF_ERROR(RefuseTimestampOfCondition(plan));
  WR_RETURN_IF_ERROR(RefuseTtlOfSources(plan));
  WR_RETURN_IF_ERROR(CheckNotNull(plan, at));
  WR_RETURN_IF_ERROR(RefuseWriteToView(*planning.table, statement.table.range));
  return plan;
}

}  // namespace widerow
