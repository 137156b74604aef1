// The rules for the statements of one batch. They hold for the text BEGIN BATCH … and for batches that drivers send as
// separate statements.
#pragma once

#include <optional>
#include <vector>

#include "planner/plan.h"

namespace widerow {

struct BatchRules {
  BatchStatement::Kind kind = BatchStatement::Kind::kLogged;
  std::vector<const ModifyPlan*> statements;
  std::optional<SourceRange> timestamp;  // The range of the batch's own USING TIMESTAMP.
};

// Checks the rules of one batch. A timestamp may be on the batch or on its statements, but not on both. A conditional
// batch and a batch with counters may not have a timestamp. All conditions must be on one table (exec checks that they
// are on one partition). Counters need their own batches, UNLOGGED or COUNTER.
Status CheckBatch(const BatchRules& batch);

}  // namespace widerow
