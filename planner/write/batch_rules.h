// The rules for the statements of one batch, whether it comes as a text or is built by a client.
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

// A timestamp may be on the batch or on its statements, not on both, and on neither if the server gives the timestamps.
// All conditions must be on one table (exec checks that they are on one partition). Counters need their own batches,
// UNLOGGED or COUNTER.
Status CheckBatch(const BatchRules& batch);

}  // namespace widerow
