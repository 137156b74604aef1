// What counter tables allow: their columns are added to and subtracted from, whole rows and cells are deleted, and no client
// says when.
#pragma once

#include "planner/plan.h"

namespace widerow {

// All columns of such a table outside of its key are counters, also those that it has had and has no more.
bool IsCounterTable(const TableSchema& table);

// Of an UPDATE or DELETE on a counter table: no conditions, no timestamp, no TTL. Of other tables' statements: nothing.
Status CheckCounterStatement(const ModifyPlan& plan);

}  // namespace widerow
