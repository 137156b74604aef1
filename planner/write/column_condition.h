// IF with conditions on columns: what UPDATE and DELETE ask of the row that they change.
#pragma once

#include "planner/terms/planning.h"
#include "planner/write/row_condition.h"

namespace widerow {

// The conditions between IF's ANDs, with Cassandra's rules: no key columns, no counters, elements of lists and maps, fields of
// user-defined types.
Result<std::vector<ColumnCondition>> PrepareConditions(const std::vector<Condition>& conditions, Planning& planning);

// The IF of an UPDATE or DELETE, if it has one, as `plan` has it.
template <typename StatementType>
Status SetCondition(const StatementType& statement, Planning& planning, ModifyPlan& plan) {
  if (statement.if_exists) plan.condition = RowCondition::kExists;
  if (statement.conditions.empty()) return OkStatus();
  if (statement.using_clause.timestamp) return TimestampOfCondition(statement.using_clause.timestamp->range);
  plan.condition = RowCondition::kColumns;
  WR_ASSIGN_OR_RETURN(plan.conditions, PrepareConditions(statement.conditions, planning));
  return OkStatus();
}

// Whether any of them is on a column of that kind.
bool AnyOn(const std::vector<ColumnCondition>& conditions, ColumnKind kind, const TableSchema& table);

// "v = 1 AND m['k'] IN (2, 3)": for EXPLAIN.
std::string PrintConditions(const std::vector<ColumnCondition>& conditions, const TableSchema& table);

}  // namespace widerow
