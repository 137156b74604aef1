// The functions that plan one kind of statement each. PlanStatement (planner/plan.h) calls them.
#pragma once

#include "planner/terms/planning.h"

namespace widerow {

Result<SelectPlan> PlanSelect(const SelectStatement& statement, Planning& planning);
Result<ModifyPlan> PlanInsert(const InsertStatement& statement, SourceRange range, Planning& planning);
Result<ModifyPlan> PlanUpdate(const UpdateStatement& statement, SourceRange range, Planning& planning);
Result<ModifyPlan> PlanDelete(const DeleteStatement& statement, SourceRange range, Planning& planning);
Result<BatchPlan> PlanBatch(const BatchStatement& statement, SourceRange range, Planning& planning);

}  // namespace widerow
