// Decides which SELECTs read static columns. Internal to planner/select. Thread-safe: pure functions.
#pragma once

#include <vector>

#include "planner/plan.h"

namespace widerow {

// True if the plan's output or the filter has a static column.
bool NeedsStatics(const SelectPlan& plan, const std::vector<Predicate>& filter);

// Returns SelectPlan::statics_beside_rows of a plan whose other members are set.
bool ReadsStaticsBesideRows(const SelectPlan& plan);

}  // namespace widerow
