// Turns INSERT, UPDATE, DELETE and BATCH into one Write: cells with final values and timestamps, and a decide step
// (storage/mutation.h) for everything that reads before it writes. A decide step is needed for a list's element by
// index, for a list minus values, for an addition to a number or text, for counters, and for every write with
// conditions.
#pragma once

#include <memory>

#include "exec/access/permit.h"
#include "exec/rows/outcome.h"
#include "planner/evaluate/evaluate.h"
#include "storage/storage_engine.h"

namespace widerow {

struct WriteRequest {
  EvaluationContext context;
  int64_t timestamp = 0;  // For statements without USING TIMESTAMP.
  int64_t now_seconds = 0;
  // The source of the timestamps of conditional and counter writes. The decide step of such a write takes a timestamp
  // that is greater than all timestamps of the rows it has read, whatever the clients' clocks say.
  StorageEngine* storage = nullptr;
  AnswerLimits answer;  // For the rows of a conditional write's answer. The writer's thread uses answer.room.
};

struct BuiltWrite {
  Write write;
  // The answer of a conditional write; null for other writes. The decide step fills it. It is complete once Apply has
  // returned without an error, or once Submit's callback is called without an error.
  std::shared_ptr<RowsPage> rows;
  // The part of the write that the decide step completes. For a conditional write: everything that it writes if its
  // conditions hold, without timestamps. For counters: everything, with increments in place of values. For a write that
  // reads columns: everything but what the reading operations write.
  std::shared_ptr<const Mutation> decided;
  int64_t list_elements_read = 0;  // The number of operations that read a list before they write.

  // Returns the partitions and rows that the statement names, even if the decide step writes others.
  const Mutation& named() const { return decided != nullptr ? *decided : write.mutation; }
};

// True if this answer of a conditional write says that the write was applied.
bool IsApplied(const RowsPage& answer);

// Builds the write of a ModifyPlan, or the one atomic write of a BatchPlan, whose USING TIMESTAMP replaces
// request.timestamp. If the write has no conditions and no counters, the mutation also has the partitions that a
// statement names but does not change, because its values are unset or its operations read first. These partitions have
// no content. The plan must outlive the write's Apply.
Result<BuiltWrite> BuildWrite(const Permit& permit, const WriteRequest& request);

// A statement that is bound to its own values. BuildWrite makes one atomic write of several such statements. The plans
// and values must outlive the write's Apply.
struct BoundStatement {
  Permit permit;  // For a ModifyPlan.
  WriteRequest request;

  const ModifyPlan& plan() const { return std::get<ModifyPlan>(permit.plan().node); }
};
Result<BuiltWrite> BuildWrite(const std::vector<BoundStatement>& statements);

}  // namespace widerow
