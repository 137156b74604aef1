// IF with conditions on columns, in UPDATE and DELETE.
#pragma once

#include "planner/terms/planning.h"
#include "planner/write/row_condition.h"

namespace widerow {

// Prepares the conditions of IF with Cassandra's rules: no key columns, no counters; elements of lists and maps and
// fields of user-defined types are allowed.
Result<std::vector<ColumnCondition>> PrepareConditions(const std::vector<Condition>& conditions, Planning& planning);

// Sets the condition of `plan` from the IF of an UPDATE or DELETE, if it has one.
template <typename StatementType>
Status SetCondition(const StatementType& statement, Planning& planning, ModifyPlan& plan) {
  if (statement.if_exists) plan.condition = RowCondition::kExists;
  if (statement.conditions.empty()) return OkStatus();
  if (statement.using_clause.timestamp) return TimestampOfCondition(statement.using_clause.timestamp->range);
  plan.condition = RowCondition::kColumns;
  WR_ASSIGN_OR_RETURN(plan.conditions, PrepareConditions(statement.conditions, planning));
  return OkStatus();
}

// True if a condition is on a column of this kind.
bool AnyOn(const std::vector<ColumnCondition>& conditions, ColumnKind kind, const TableSchema& table);

// Returns "v = 1 AND m['k'] IN (2, 3)" for EXPLAIN.
std::string PrintConditions(const std::vector<ColumnCondition>& conditions, const TableSchema& table);

}  // namespace widerow
