// INSERT, UPDATE, DELETE and BATCH into one Write: absolute cells with final timestamps, and a decide step for the few
// operations that read before they write (a list's element by index, a list minus values).
#pragma once

#include "planner/evaluate.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

struct WriteRequest {
  EvaluationContext context;
  int64_t timestamp = 0;    // For statements without USING TIMESTAMP.
  int64_t now_seconds = 0;
};

// Partitions that a statement names and yet leaves alone, because its values are unset or it reads first, stand in the
// mutation without content.
Result<Write> BuildWrite(const ModifyPlan& plan, const WriteRequest& request);
// One atomic write of all statements; the batch's own USING TIMESTAMP takes the place of request.timestamp.
Result<Write> BuildWrite(const BatchPlan& plan, WriteRequest request);

// The same for statements that are bound each with its own values. Plans and values outlive the write's Apply.
struct BoundStatement {
  const ModifyPlan* plan = nullptr;
  WriteRequest request;
};
Result<Write> BuildWrite(const std::vector<BoundStatement>& statements);

}  // namespace widerow
