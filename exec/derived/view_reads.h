// A materialized view as SELECT sees it. The view stores keys only; each row is shown with the values, times and expiry
// of the base row that it names. WRITETIME and TTL are therefore the base table's. A row whose base row was deleted,
// has expired or has moved to another key is not shown, even if it is still stored.
#pragma once

#include "exec/derived/view_keys.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

// Returns what a SELECT with this plan reads: `stored` itself or, for a materialized view, a ReadView that shows only
// the view's rows at `now_seconds`.
std::unique_ptr<ReadView> ViewOfPlan(const Plan& plan, std::unique_ptr<ReadView> stored, int64_t now_seconds);

}  // namespace widerow
