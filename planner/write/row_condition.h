// Rules about IF and NOT NULL for the statements that write rows.
#pragma once

#include "planner/plan.h"

namespace widerow {

// Returns the error for USING TIMESTAMP in a statement with IF, whose timestamp the server chooses.
Error TimestampOfCondition(SourceRange timestamp);
Status RefuseTimestampOfCondition(const ModifyPlan& plan);

// Checks NOT NULL columns. INSERT must give each a value. DELETE must not delete one. UPDATE may create a row and so
// must set all of them, unless it has IF EXISTS. `range`: the range of the error for a missing column. exec checks
// bound values.
Status CheckNotNull(const ModifyPlan& plan, SourceRange range);

}  // namespace widerow
