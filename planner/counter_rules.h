// The rules of counter tables. Statements may add to and subtract from counters and may delete rows and cells. They may
// not give timestamps, TTLs or conditions.
#pragma once

#include "planner/plan.h"

namespace widerow {

// True for a counter table: all its columns outside of the key, dropped ones included, are counters.
bool IsCounterTable(const TableSchema& table);

// Refuses conditions, timestamps and TTLs in an UPDATE or DELETE of a counter table. Accepts all statements of other
// tables.
Status CheckCounterStatement(const ModifyPlan& plan);

}  // namespace widerow
