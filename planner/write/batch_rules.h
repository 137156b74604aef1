// What may stand together in a batch, whether it comes as a text or is put together by a client.
#pragma once

#include <optional>
#include <vector>

#include "planner/plan.h"

namespace widerow {

struct BatchRules {
  BatchStatement::Kind kind = BatchStatement::Kind::kLogged;
  std::vector<const ModifyPlan*> statements;
  std::optional<SourceRange> timestamp;  // Of the batch's own USING TIMESTAMP.
};

// Timestamps stand on the batch or on its statements, and on neither where the server gives them. Conditions are about one table
// (that they are about one partition, exec finds out). Counters have batches of their own, UNLOGGED or COUNTER ones.
Status CheckBatch(const BatchRules& batch);

}  // namespace widerow
