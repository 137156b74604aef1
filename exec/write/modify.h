// Turns INSERT, UPDATE, DELETE and BATCH into one Write: absolute cells with final timestamps, and a decide step for
// everything that reads before it writes. A decide step is needed for a list's element by index, for a list minus
// values, for counters, and for every write with conditions.
#pragma once

#include <memory>

#include "exec/access/permit.h"
#include "exec/rows/outcome.h"
#include "planner/evaluate/evaluate.h"
#include "storage/engine.h"

namespace widerow {

struct WriteRequest {
  EvaluationContext context;
  int64_t timestamp = 0;  // For statements without USING TIMESTAMP.
  int64_t now_seconds = 0;
  // Assigns the timestamps of conditional and counter writes in their decide step: greater than all timestamps found
  // there, whatever the clients' clocks say.
  StorageEngine* storage = nullptr;
};

struct BuiltWrite {
  Write write;
  // The answer of a conditional write; null for other writes. The decide step fills it, so it is complete once Apply
  // has returned, or Submit's callback runs, without an error.
  std::shared_ptr<RowsPage> rows;
  // The part of the write that the decide step completes. Conditional write: everything that it writes if its
  // conditions hold, without timestamps. Counters: the same, with increments in place of values. Write that reads
  // lists: everything but the lists.
  std::shared_ptr<const Mutation> decided;
  int64_t list_elements_read = 0;  // Elements that are read by index or value before the write.

  // The partitions and rows that the statement names, whatever the decide step writes.
  const Mutation& named() const { return decided != nullptr ? *decided : write.mutation; }
};

// Builds the write of a ModifyPlan, or the one atomic write of a BatchPlan, whose USING TIMESTAMP replaces
// request.timestamp. A partition that a statement names but does not change (its values are unset, or it reads first)
// is in the mutation without content. The plan outlives the write's Apply.
Result<BuiltWrite> BuildWrite(const Permit& permit, const WriteRequest& request);

// Builds one atomic write of statements that are each bound to their own values. Plans and values outlive the write's
// Apply.
struct BoundStatement {
  Permit permit;  // For a ModifyPlan.
  WriteRequest request;

  const ModifyPlan& plan() const { return std::get<ModifyPlan>(permit.plan().node); }
};
Result<BuiltWrite> BuildWrite(const std::vector<BoundStatement>& statements);

}  // namespace widerow
