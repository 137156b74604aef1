// Rules of IF and of NOT NULL for the statements that write rows.
#pragma once

#include "planner/plan.h"

namespace widerow {

// TimestampOfCondition: the error for USING TIMESTAMP in a conditional statement, whose timestamp the server gives.
Error TimestampOfCondition(SourceRange timestamp);
Status RefuseTimestampOfCondition(const ModifyPlan& plan);

// Checks NOT NULL columns: INSERT must give each a value, DELETE must not delete one, and UPDATE, which may create a
// row, must set all of them unless it is IF EXISTS. `range` is that of the error for a missing one. exec checks bound
// values.
Status CheckNotNull(const ModifyPlan& plan, SourceRange range);

}  // namespace widerow
