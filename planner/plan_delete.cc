#include <algorithm>

#include "planner/cell_operation.h"
#include "planner/modified_rows.h"
#include "planner/plan_statements.h"
#include "planner/prepare_attribute.h"

namespace widerow {
namespace {

// Rows named one by one: no slice, no clustering column left open.
bool NamesRows(const ClusteringSelection& selection, const TableSchema& table) {
  if (selection.lower || selection.upper) return false;
  uint32_t columns = 0;
  for (const auto& part : selection.prefix) {
    const auto* tuples = std::get_if<ClusteringTuplesIn>(&part);
    columns += tuples != nullptr ? tuples->width : 1;
  }
  return columns == table.clustering_size;
}

}  // namespace

Result<ModifyPlan> PlanDelete(const DeleteStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  const TableSchema& table = *planning.table;
  if (statement.using_clause.ttl) {
    return InvalidAt(statement.using_clause.ttl->range, "A DELETE has no TTL: what it deletes stays deleted");
  }
  if (statement.if_exists) return NotSupportedYet(range, "IF EXISTS");
  if (!statement.conditions.empty()) return NotSupportedYet(statement.conditions[0].range, "IF conditions", true);
  for (const ColumnSchema& column : table.columns) WR_RETURN_IF_ERROR(RefuseCounter(column, statement.table.range));
  ModifyPlan plan;
  plan.kind = ModifyPlan::Kind::kDelete;
  plan.table = planning.table;
  bool only_statics = !statement.targets.empty();
  for (const DeleteTarget& target : statement.targets) {
    WR_ASSIGN_OR_RETURN(CellOperation operation, PrepareDeletion(target, planning));
    only_statics = only_statics && table.columns[operation.column].kind == ColumnKind::kStatic;
    plan.operations.push_back(std::move(operation));
  }
  WR_ASSIGN_OR_RETURN(std::vector<Restriction> where, ResolveWriteWhere(statement.where, plan.kind, planning));
  const SourceRange at = statement.where.empty()
                             ? range
                             : SourceRange{statement.where.front().range.begin, statement.where.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(where), {plan.kind, only_statics, at}, plan));
  if (!plan.operations.empty() && !only_statics && !NamesRows(plan.clustering, table)) {
    return InvalidAt(plan.operations[0].range, "Range deletions are not supported for specific columns",
                     "name whole rows in WHERE, or delete whole rows");
  }
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  return plan;
}

}  // namespace widerow
