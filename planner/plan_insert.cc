#include <unordered_set>

#include "planner/cell_operation.h"
#include "planner/modified_rows.h"
#include "planner/plan_statements.h"
#include "planner/prepare_attribute.h"
#include "planner/prepare_term.h"
#include "planner/row_condition.h"
#include "planner/views/view_where.h"

namespace widerow {
namespace {

Status CheckColumns(const InsertStatement& statement, const TableSchema& table) {
  for (const ColumnSchema& column : table.columns) {
    if (column.type->kind != TypeKind::kCounter) continue;
    return InvalidAt(statement.table.range, "INSERT statements are not allowed on counter tables, use UPDATE instead");
  }
  if (statement.columns.size() != statement.values.size()) {
    return InvalidAt(
        statement.columns.empty() ? statement.table.range : statement.columns[0].range, "Unmatched column names/values",
        std::to_string(statement.columns.size()) + " columns, " + std::to_string(statement.values.size()) + " values");
  }
  std::unordered_set<std::string_view> seen;
  for (const Identifier& name : statement.columns) {
    if (!seen.insert(name.text).second) return InvalidAt(name.range, "The column names contains duplicates");
  }
  return OkStatus();
}

}  // namespace

Result<ModifyPlan> PlanInsert(const InsertStatement& statement, SourceRange range, Planning& planning) {
  WR_ASSIGN_OR_RETURN(planning.table, FindTable(statement.table, planning));
  WR_RETURN_IF_ERROR(RefuseWriteToView(*planning.table, statement.table.range));
  if (statement.json) return NotSupportedYet(statement.json->range, "INSERT JSON");
  const TableSchema& table = *planning.table;
  WR_RETURN_IF_ERROR(CheckColumns(statement, table));

  ModifyPlan plan;
  plan.kind = ModifyPlan::Kind::kInsert;
  plan.table = planning.table;
  if (statement.if_not_exists) plan.condition = RowCondition::kNotExists;
  std::vector<Restriction> key;
  bool any_clustering = false, only_statics = true;
  for (size_t i = 0; i < statement.columns.size(); ++i) {
    WR_ASSIGN_OR_RETURN(const uint32_t index, FindColumn(table, statement.columns[i]));
    const ColumnSchema& column = table.columns[index];
    WR_ASSIGN_OR_RETURN(Expression value, PrepareTerm(statement.values[i], ReceiverOf(column), planning));
    if (!column.is_key()) {
      only_statics = only_statics && column.kind == ColumnKind::kStatic;
      CellOperation operation;
      operation.column = index;
      operation.value = std::move(value);
      operation.range = statement.values[i].range;
      plan.operations.push_back(std::move(operation));
      continue;
    }
    if (IsNullConstant(value)) {
      if (column.is_generated()) continue;  // As if it were not named: it is derived.
      return InvalidAt(value.range, "Invalid null value in condition for column " + column.name);
    }
    any_clustering = any_clustering || column.kind == ColumnKind::kClustering;
    key.emplace_back(
        ColumnRestriction{index, CompareOp::kEq, {{std::move(value)}, false, false}, statement.values[i].range});
  }
  only_statics = only_statics && !plan.operations.empty() && !any_clustering;
  const SourceRange at = statement.columns.empty()
                             ? range
                             : SourceRange{statement.columns.front().range.begin, statement.columns.back().range.end};
  WR_RETURN_IF_ERROR(SetModifiedRows(std::move(key), {plan.kind, only_statics, at}, plan));
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  WR_ASSIGN_OR_RETURN(plan.ttl, PrepareTtl(statement.using_clause, planning));
  WR_RETURN_IF_ERROR(RefuseTimestampOfCondition(plan));
  WR_RETURN_IF_ERROR(CheckNotNull(plan, at));
  return plan;
}

}  // namespace widerow
