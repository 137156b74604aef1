// WHERE, between grouping and the choice of the access path: conditions on the sources of generated key columns become
// restrictions of these key columns.
//
//   ((bucket), ts), bucket GENERATED ALWAYS AS (bucket(ts, 16))
//   ts = 1002              → bucket = bucket(1002, 16)                          one value
//   ts IN (1, 2)           → bucket = bucket($1, 16), ts = $1, $1 of (1, 2)     a KeyChoice, value by value
//   ts >= 1000             → bucket = $1, $1 of 0 to 15                         finite: all values
//   ((device, day), ts), day GENERATED ALWAYS AS (window(ts, '1d'))
//   ts >= x AND ts < y     → day = $1, $1 of the days from x to y               monotone: the days in between
//   (device, day, ts)
//   ts >= x AND ts < y     → (day, ts) >= (window(x), x) AND (day, ts) < (…)    monotone, in the clustering: a range
//
// Expressions are built here, not evaluated: a prepared statement is derived once, and its values are computed when it
// runs.
#pragma once

#include "planner/generated/generated_columns.h"
#include "planner/where/group.h"

namespace widerow {

struct DerivedKey {
  std::vector<KeyChoice> choices;
  std::vector<DerivedColumn> columns;
};

// Derives the key of a SELECT: restricts the key columns of `where` that can be derived. A condition on a source that
// the derived key does not fully express moves to where.verified, which filters the rows. `ordered`: the statement has
// an ORDER BY, so all values of a finite column may be read even if nothing restricts its source.
Result<DerivedKey> DeriveForSelect(const TableSchema& table, bool ordered, GroupedWhere& where);

struct DeriveForWriteRequest {
  ModifyPlan::Kind kind = ModifyPlan::Kind::kInsert;
  RowCondition condition = RowCondition::kNone;
  bool only_statics = false;
  SourceRange range;
};
// Derives the key of an INSERT (its key values are equalities), UPDATE or DELETE. A value given for a generated column
// is compared with the derived value. Sources outside of the key are used too: INSERT assigns them, UPDATE names them
// in WHERE. The sources of UPDATE are added to `plan.operations`, so that the row contains the values that its key was
// derived from. Sets plan.choices, plan.derived and plan.checks.
Status DeriveForWrite(const TableSchema& table, const DeriveForWriteRequest& request, GroupedWhere& where,
                      ModifyPlan& plan);

// Refuses a table that was loaded with expressions that this version cannot plan.
Status CheckCompiled(const TableSchema& table);
// Refuses SET and DELETE of generated columns and of columns that a key is derived from.
Status CheckAssigned(const CellOperation& operation, const TableSchema& table);

// Returns a hint on how to give the generated key column `column` a value: "give ts". Empty for an ordinary column.
std::string HowToDerive(const TableSchema& table, uint32_t column);

}  // namespace widerow
