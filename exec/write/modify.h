// INSERT, UPDATE, DELETE and BATCH into one Write: absolute cells with final timestamps, and a decide step for what reads
// before it writes (a list's element by index, a list minus values, counters; everything, if there are conditions).
#pragma once

#include <memory>

#include "exec/rows/outcome.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

struct WriteRequest {
  EvaluationContext context;
  int64_t timestamp = 0;    // For statements without USING TIMESTAMP.
  int64_t now_seconds = 0;
  // Gives conditional writes and those to counters their timestamp when they are decided: greater than all they find, whatever
  // the clients' clocks.
  StorageEngine* storage = nullptr;
};

struct BuiltWrite {
  Write write;
  // Of a conditional write: what it answers. Filled by its decide step, so it is there when Apply has returned, or Submit's
  // callback runs, without an error. Null: the write gives no rows.
  std::shared_ptr<RowsPage> rows;
  // Of a conditional write: what it writes if its conditions hold, with timestamps still to be given. Of one to counters: the
  // same, with what is added to them in place of their values. Of one that reads lists: the rest of it.
  std::shared_ptr<const Mutation> decided;
  int64_t list_elements_read = 0;  // By index or value, before they are written.

  // The partitions and rows that the statement names, whatever will be decided.
  const Mutation& named() const { return decided != nullptr ? *decided : write.mutation; }
};

// Partitions that a statement names and yet leaves alone, because its values are unset or it reads first, stand in the
// mutation without content.
Result<BuiltWrite> BuildWrite(const ModifyPlan& plan, const WriteRequest& request);
// One atomic write of all statements; the batch's own USING TIMESTAMP takes the place of request.timestamp.
Result<BuiltWrite> BuildWrite(const BatchPlan& plan, WriteRequest request);

// The same for statements that are bound each with its own values. Plans and values outlive the write's Apply.
struct BoundStatement {
  const ModifyPlan* plan = nullptr;
  WriteRequest request;
};
Result<BuiltWrite> BuildWrite(const std::vector<BoundStatement>& statements);

}  // namespace widerow
