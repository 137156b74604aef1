// IF EXISTS and IF NOT EXISTS: what Cassandra asks of the statements that have them.
#pragma once

#include <vector>

#include "planner/plan.h"

namespace widerow {

// A conditional statement's timestamp is the server's.
Status RefuseTimestampOfCondition(const ModifyPlan& plan);

// A batch with any conditional statement is about one table. (That it is about one partition, exec finds out.)
Status CheckConditionalBatch(const std::vector<const ModifyPlan*>& statements);

}  // namespace widerow
