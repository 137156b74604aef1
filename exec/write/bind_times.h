// The times of the cells that a statement writes: USING TIMESTAMP and USING TTL. Pure functions.
#pragma once

#include <optional>

#include "exec/write/cell_operations.h"
#include "exec/write/modify.h"

namespace widerow {

// Returns the value of USING TIMESTAMP; nullopt if the statement does not have it, or if the value is unset. Fails if
// the value is null.
Result<std::optional<int64_t>> BindTimestamp(const std::optional<Expression>& expression,
                                             const EvaluationContext& context);
// Fails if the timestamp is the number that stands for "no timestamp".
Status CheckTimestamp(int64_t timestamp, SourceRange range);
// Returns the times of a statement's cells. `timestamp` is the result of BindTimestamp.
Result<CellTimes> BindTimes(const ModifyPlan& plan, const WriteRequest& request, std::optional<int64_t> timestamp);

}  // namespace widerow
