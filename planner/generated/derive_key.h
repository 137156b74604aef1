// A statement has conditions on the sources of generated key columns, or assigns values to these sources. The functions
// of this file turn the conditions and values into restrictions of the key columns. They run after the restrictions are
// grouped (planner/where/group.h) and before the access path is chosen. Examples, where $1 is the current value of a
// KeyChoice:
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
// These functions build expressions and do not evaluate them. So a prepared statement is derived once, and its values
// are computed when it runs.
#pragma once

#include "planner/generated/generated_columns.h"
#include "planner/where/group.h"

namespace widerow {

struct DerivedKey {
  std::vector<KeyChoice> choices;
  std::vector<DerivedColumn> columns;
};

// Derives the key of a SELECT: restricts the key columns of `where` that can be derived. If the derived key selects
// more rows than a condition on a source, the condition moves to where.verified, which filters the rows. `ordered` is
// true for a statement with ORDER BY. Then all values of a finite column may be read even if nothing restricts its
// source.
Result<DerivedKey> DeriveForSelect(const TableSchema& table, bool ordered, GroupedWhere& where);

struct DeriveForWriteRequest {
  ModifyPlan::Kind kind = ModifyPlan::Kind::kInsert;
  RowCondition condition = RowCondition::kNone;
  bool only_statics = false;
  SourceRange range;
};
// Derives the key of an INSERT (whose key values count as equalities), UPDATE or DELETE. A value given for a generated
// column is compared with the derived value. Sources outside of the key are used too: INSERT assigns them, UPDATE names
// them in WHERE. The sources of UPDATE are added to `plan.operations`, so that the row contains the values that its key
// was derived from. Sets plan.choices, plan.derived and plan.checks.
Status DeriveForWrite(const TableSchema& table, const DeriveForWriteRequest& request, GroupedWhere& where,
                      ModifyPlan& plan);

// Refuses a table whose expressions were stored by another version and cannot be planned by this one.
Status CheckCompiled(const TableSchema& table);
// Refuses SET and DELETE of generated columns and of columns that a key is derived from.
Status CheckAssigned(const CellOperation& operation, const TableSchema& table);

// True if the derivation restricts the columns to several values, one after the other: the values contain a KeyChoice.
bool TakesSeveralValues(const KeyRestriction& key);
// The same, but a KeyChoice whose values come in sequence (KeyChoice::in_sequence) does not count.
bool TakesUnorderedValues(const KeyRestriction& key, const std::vector<KeyChoice>& choices);
// True if the column is generated, and WHERE gives each of its sources, which are in the partition key, one value. All
// rows that are read then have one value of the column, even if the derivation has not restricted it.
bool FollowsFromOneValue(const TableSchema& table, const GroupedWhere& where, uint32_t column);

// Returns a hint on how to give the generated key column `column` a value: "give ts". Empty for an ordinary column.
std::string HowToDerive(const TableSchema& table, uint32_t column);

}  // namespace widerow
