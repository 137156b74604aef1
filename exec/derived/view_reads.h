// A materialized view as SELECT sees it: its own stored rows are keys alone; each is shown with the values, times and life of the base
// table's row that it names. So values, WRITETIME and TTL are the base table's, and a row whose base row has gone, expired or moved
// to another key since is not shown, whatever is stored of it.
#pragma once

#include "exec/derived/view_keys.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

// What shows the table of a SELECT: `stored` itself or, of a materialized view, its rows at `now_seconds` (and nothing else).
std::unique_ptr<ReadView> ViewOfPlan(const Plan& plan, std::unique_ptr<ReadView> stored, int64_t now_seconds);

}  // namespace widerow
