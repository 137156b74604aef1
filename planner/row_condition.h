// IF EXISTS and IF NOT EXISTS: what Cassandra asks of the statements that have them.
#pragma once

#include <vector>

#include "planner/plan.h"

namespace widerow {

// A conditional statement's timestamp is the server's.
Status RefuseTimestampOfCondition(const ModifyPlan& plan);

// A batch with any conditional statement is about one table. (That it is about one partition, exec finds out.)
Status CheckConditionalBatch(const std::vector<const ModifyPlan*>& statements);

// NOT NULL: INSERT gives every such column a value, DELETE takes none away, and UPDATE, which may make a row, sets all of them
// unless it is IF EXISTS. `range`: what to point at when one is missing. Values are looked at when they are bound.
Status CheckNotNull(const ModifyPlan& plan, SourceRange range);

}  // namespace widerow
