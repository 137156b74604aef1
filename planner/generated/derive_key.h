// WHERE, between grouping and the choice of the access path: what it says of the sources of generated key columns becomes
// restrictions of those columns themselves.
//
//   ((bucket), ts), bucket GENERATED ALWAYS AS (bucket(ts, 16))
//   ts = 1002              → bucket = bucket(1002, 16)                          one value
//   ts IN (1, 2)           → bucket = bucket($1, 16), ts = $1, $1 of (1, 2)     a KeyChoice, value by value
//   ts >= 1000             → bucket = $1, $1 of 0 to 15                         finite: all of them
//   ((device, day), ts), day GENERATED ALWAYS AS (window(ts, '1d'))
//   ts >= x AND ts < y     → day = $1, $1 of the days from x to y               monotone: those between
//   (device, day, ts)
//   ts >= x AND ts < y     → (day, ts) >= (window(x), x) AND (day, ts) < (…)    monotone, in the clustering: a range
//
// Expressions are put together, not evaluated: a prepared statement is derived once, and its values when it runs.
#pragma once

#include "planner/generated/generated_columns.h"
#include "planner/where/group.h"

namespace widerow {

struct DerivedKey {
  std::vector<KeyChoice> choices;
  std::vector<DerivedColumn> columns;
};

// Of a SELECT. Restricts the key columns of `where` that can be derived, and moves conditions on sources that are then no
// longer looked up but still have to hold to where.verified. `ordered`: the statement has an ORDER BY, which is a reason to
// read all values of a finite column even if nothing restricts its source.
Result<DerivedKey> DeriveForSelect(const TableSchema& table, bool ordered, GroupedWhere& where);

struct DeriveForWriteRequest {
  ModifyPlan::Kind kind = ModifyPlan::Kind::kInsert;
  RowCondition condition = RowCondition::kNone;
  bool only_statics = false;
  SourceRange range;
};
// Of INSERT (its key values are equalities), UPDATE and DELETE. A value given for a generated column is checked against the
// derived one. What INSERT assigns to, and UPDATE names of, sources outside of the key counts too, and UPDATE's are added to
// `plan.operations`: the row keeps what its key was made of. Sets plan.choices, plan.derived and plan.checks.
Status DeriveForWrite(const TableSchema& table, const DeriveForWriteRequest& request, GroupedWhere& where, ModifyPlan& plan);

// Refuses SET and DELETE of generated columns, and of those a key is derived from.
Status CheckAssigned(const CellOperation& operation, const TableSchema& table);

// "give ts": how the generated key column `column` gets a value, for hints.
std::string HowToDerive(const TableSchema& table, uint32_t column);

}  // namespace widerow
