// Runs the engine's INSERT, UPDATE, DELETE and BATCH statements, with or without waiting for the commit. Thread-safe.
#pragma once

#include <functional>

#include "exec/engine/admitted_request.h"
#include "exec/engine/engine_state.h"
#include "exec/write/modify.h"

namespace widerow {

class StatementPlanner;

// A write with one cell whose value is a LargeReference.
struct LargeWrite {
  BuiltWrite built;

  const PartitionMutation& partition() const { return built.named().front(); }
};

// Errors of each function: those of BindMarkers, kInvalid for a table that is not stored, kOverloaded if a table has no
// units left (exec/guardrails/throughput.h), and those of the write. After an error nothing is written.
class WriteRunner {
 public:
  explicit WriteRunner(EngineState& state, StatementPlanner& planner) : state_(state), planner_(planner) {}

  // Runs a ModifyPlan or a BatchPlan and waits for its commit.
  Result<Outcome> Run(AdmittedRequest& request) const;
  // Runs a ModifyPlan without waiting for its commit. If the result is true, `done` gets the outcome: on the storage's
  // thread, or during the call if there is nothing to write. `statement` is the request's. Returns false, and does
  // nothing, if the statement came as text and reads before it writes. The plan of such a statement may be that of
  // another text, and errors would quote that text.
  Result<bool> Submit(AdmittedRequest& request, const PreparedPtr& statement, OutcomeCallback done) const;
  // Runs a client's batch as one atomic write. Admits each entry; the values of `parameters` are not used.
  Result<Outcome> Batch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                        const RequestParameters& parameters, RequestTrace& trace) const;
  // Builds the write of a ModifyPlan that stores the value of `marker` in a longblob column. The value is an encoded
  // LargeReference. kInvalid if the plan does not write exactly one row, has conditions, or uses the value in another
  // way.
  Result<LargeWrite> BuildLarge(AdmittedRequest& request, size_t marker) const;
  // Runs a write that BuildLarge has built for the request, and passes the result to upload.Settle. Before the call,
  // upload.Finish must have stored all pieces.
  Result<Outcome> RunLarge(AdmittedRequest& request, LargeWrite write, LargeUpload& upload) const;
  // Applies the write of EXPLAIN ANALYZE. `bound` is called between binding and applying it. Returns the answer of a
  // conditional write; null for others.
  Result<std::shared_ptr<RowsPage>> Analyzed(AdmittedRequest& request,
                                             const std::function<void(const BuiltWrite&)>& bound,
                                             std::vector<std::string>& warnings) const;

 private:
  struct Batched;

  WriteRequest MakeWriteRequest(const RequestParameters& parameters) const;
  Result<BuiltWrite> Build(AdmittedRequest& request) const;
  Result<Batched> BindBatch(std::span<const BatchEntry> entries, const RequestParameters& parameters,
                            RequestTrace& trace) const;
  // Checks guardrails and table limits for a write that has been built, and charges its units to the tables.
  Status Admit(const BuiltWrite& built, std::vector<std::string>& warnings) const;
  Status Apply(BuiltWrite& built) const;
  Status ApplyMeasured(StatementRecord* record, BuiltWrite& built, std::vector<std::string>& warnings) const;
  Status ApplyBatch(const std::vector<PreparedPtr>& statements, BuiltWrite& built,
                    std::vector<std::string>& warnings) const;
  // Returns a callback that counts the rows that the decide step has written, and then calls `done`.
  OutcomeCallback Counted(const BuiltWrite& built, OutcomeCallback done) const;
  // Returns a callback that records how a measured write went and then calls `done`.
  OutcomeCallback Measured(const PreparedPtr& statement, const BuiltWrite& built, uint32_t stands_for,
                           OutcomeCallback done) const;

  EngineState& state_;
  StatementPlanner& planner_;
};

}  // namespace widerow
