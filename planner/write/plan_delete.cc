#include <algorithm>

#include "planner/access/key_hint.h"
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

Result<ModifyPlan> PlanDelete(const DeleteStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  const TableSchema& table = *planning.table;
  if (statement.using_clause.ttl) {
    return InvalidAt(statement.using_clause.ttl->range, "A DELETE has no TTL: what it deletes stays deleted");
  }
  ModifyPlan plan;
  plan.kind = ModifyPlan::Kind::kDelete;
  plan.table = planning.table;
  // As in Cassandra, faults of USING come before those of the other clauses.
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  WR_RETURN_IF_ERROR(SetCondition(statement, planning, plan));
  bool statics_deleted = !statement.targets.empty();
  if (!statement.targets.empty()) WR_RETURN_IF_ERROR(CheckCompiled(table));
  for (const DeleteTarget& target : statement.targets) {
    WR_ASSIGN_OR_RETURN(CellOperation operation, PrepareDeletion(target, planning));
    WR_RETURN_IF_ERROR(CheckAssigned(operation, table));
    statics_deleted = statics_deleted && table.columns[operation.column].kind == ColumnKind::kStatic;
    plan.operations.push_back(std::move(operation));
  }
  const bool asks_rows = AnyOn(plan.conditions, ColumnKind::kRegular, table);
  const bool only_statics = statics_deleted && !asks_rows;
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> where, ResolveWriteWhere(statement.where, plan.kind, planning));
  const SourceRange at = statement.where.empty()
                             ? range
                             : SourceRange{statement.where.front().range.begin, statement.where.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(where), {plan.kind, only_statics, at}, plan));
  const bool by_name = only_statics || plan.clustering.names_whole_rows(table);
  if (plan.condition != RowCondition::kNone && !by_name) {
    return InvalidAt(
        at,
        std::string("DELETE statements must restrict all PRIMARY KEY columns with equality relations in order to ") +
            (statics_deleted ? "use IF condition on non static columns" : "delete non static columns"),
        "IF is about one row: name its whole key, " + PrimaryKeyText(table));
  }
  if (!plan.operations.empty() && !by_name) {
    return InvalidAt(plan.operations[0].range, "Range deletions are not supported for specific columns",
                     "name whole rows in WHERE, or delete whole rows");
  }
  WR_RETURN_IF_ERROR(CheckCounterStatement(plan));
  WR_RETURN_IF_ERROR(RefuseTimestampOfCondition(plan));
  WR_RETURN_IF_ERROR(CheckNotNull(plan, at));
  WR_RETURN_IF_ERROR(RefuseWriteToView(*planning.table, statement.table.range));
  return plan;
}

}  // namespace widerow
