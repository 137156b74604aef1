// IF: what is asked of the statements that have it.
#pragma once

#include "planner/plan.h"

namespace widerow {

// A conditional statement's timestamp is the server's.
Error TimestampOfCondition(SourceRange timestamp);
Status RefuseTimestampOfCondition(const ModifyPlan& plan);

// NOT NULL: INSERT gives every such column a value, DELETE takes none away, and UPDATE, which may make a row, sets all of them
// unless it is IF EXISTS. `range`: what to point at when one is missing. Values are looked at when they are bound.
Status CheckNotNull(const ModifyPlan& plan, SourceRange range);

}  // namespace widerow
