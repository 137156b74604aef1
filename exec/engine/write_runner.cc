// Every write takes the same steps: bind the values and build the mutation (Build, BindBatch), check guardrails and
// limits (Admit), count the rows for the heat map, apply the mutation (Apply, or the storage's Submit), and record the
// write if it is measured. The rows of a write with a decide step (storage/mutation.h) are counted when the step has
// written them.
#include "exec/engine/write_runner.h"

#include <algorithm>

#include "exec/engine/statement_planner.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/write/batch_guards.h"
#include "exec/write/decided_write.h"
#include "planner/write/batch_rules.h"

namespace widerow {
namespace {

void AddWarning(const std::string& warning, std::vector<std::string>& warnings) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

// Returns the error, and stores the warnings in the request.
Error Warned(Error error, std::vector<std::string> warnings, const RequestParameters& parameters) {
  if (parameters.warnings_of_error != nullptr) *parameters.warnings_of_error = std::move(warnings);
  return error;
}

}  // namespace

// The bound entries of a client's batch. They own the plans and values, and outlive the write.
struct WriteRunner::Batched {
  std::vector<PreparedPtr> statements;
  std::vector<TablePtr> tables;
  std::vector<std::vector<BoundValue>> named;
  std::vector<BoundStatement> bound;
  std::vector<std::string> warnings;
};

WriteRequest WriteRunner::MakeWriteRequest(const RequestParameters& parameters) const {
  const int64_t now_micros = state_.storage->clock().NowMicros();
  WriteRequest request;
  request.context.function.now_micros = now_micros;
  request.timestamp = parameters.timestamp ? *parameters.timestamp : state_.storage->NextTimestampMicros();
  request.now_seconds = parameters.now_seconds.value_or(now_micros / 1'000'000);
  request.storage = state_.storage.get();
  request.answer = parameters.answer;
  return request;
}

Result<BuiltWrite> WriteRunner::Build(AdmittedRequest& request) const {
  const RequestParameters& parameters = request.parameters();
  for (const TablePtr& table : request.plan().tables) {
    if (IsVirtual(*table)) return ReadOnly(*table);
  }
  WriteRequest write = MakeWriteRequest(parameters);
  WR_ASSIGN_OR_RETURN(write.context.markers, request.Bind());
  WR_ASSIGN_OR_RETURN(BuiltWrite built, BuildWrite(request.permit(), write));
  if (built.rows != nullptr) {
    WR_RETURN_IF_ERROR(CheckConditionalConsistency(*request.statement().schema, *request.plan().tables[0],
                                                   parameters.consistency, parameters.serial_consistency));
  }
  return built;
}

Status WriteRunner::Admit(const BuiltWrite& built, std::vector<std::string>& warnings) const {
  if (state_.guardrails.on()) {
    const int64_t now_micros = state_.storage->clock().NowSeconds() * 1'000'000;
    WR_RETURN_IF_ERROR(GuardWrite(built, now_micros, state_.guardrails, warnings));
    WR_RETURN_IF_ERROR(state_.load.GuardDataFile(warnings));
  }
  Throughput& throughput = state_.throughput;
  bool metered = throughput.capacity().any();
  for (const PartitionMutation& partition : built.named())
    metered = metered || partition.table->options.throughput.any();
  if (!metered) [[likely]]
    return OkStatus();
  for (const PartitionMutation& partition : built.named()) {
    if (throughput.Meters(*partition.table)) WR_RETURN_IF_ERROR(throughput.Admit(*partition.table, Access::kWrite));
  }
  for (const PartitionMutation& partition : built.named()) {
    if (!throughput.Meters(*partition.table)) continue;
    throughput.Charge(*partition.table, Access::kWrite, UnitsOf(partition.rows.size(), WrittenBytes(partition)));
  }
  return OkStatus();
}

Status WriteRunner::Apply(BuiltWrite& built) const {
  Write& write = built.write;
  DropEmptyPartitions(write.mutation);
  if (write.mutation.empty() && !write.decide) return OkStatus();
  if (built.decided == nullptr) state_.load.CountWrites(write.mutation);
  WR_RETURN_IF_ERROR(state_.storage->Apply(std::move(write)));
  if (built.decided != nullptr && (built.rows == nullptr || IsApplied(*built.rows)))
    state_.load.CountWrites(*built.decided);
  return OkStatus();
}

Status WriteRunner::ApplyMeasured(StatementRecord* record, BuiltWrite& built,
                                  std::vector<std::string>& warnings) const {
  const uint32_t stands_for = state_.load.BeginWrite(record);
  if (stands_for == 0) [[likely]]
    return Apply(built);
  TouchedPartitions touched;
  touched.Add(built.named());
  const auto begun = LoadRecorder::SteadyClock::now();
  WR_RETURN_IF_ERROR(Apply(built));
  state_.load.EndWrite(*record, stands_for, begun, touched, warnings);
  return OkStatus();
}

Result<Outcome> WriteRunner::Run(AdmittedRequest& request) const {
  WR_ASSIGN_OR_RETURN(BuiltWrite built, Build(request));
  Outcome done;
  const bool conditional = built.rows != nullptr;
  Status applied = OkStatus();
  if (const auto* batch = std::get_if<BatchPlan>(&request.plan().node);
      batch != nullptr && request.parameters().guarded && !conditional) {
    std::vector<TablePtr> tables;
    for (const ModifyPlan& part : batch->statements) tables.push_back(part.table);
    applied = GuardBatch(batch->kind, tables, built.write, done.warnings);
  }
  if (applied.ok()) applied = Admit(built, done.warnings);
  if (applied.ok()) applied = ApplyMeasured(request.statement().record.get(), built, done.warnings);
  if (!applied.ok()) {
    const std::vector<std::string>& planned = request.plan().warnings;
    done.warnings.insert(done.warnings.begin(), planned.begin(), planned.end());
    return Warned(applied.error(), std::move(done.warnings), request.parameters());
  }
  if (conditional) done.result = std::move(*built.rows);
  return done;
}

Result<std::shared_ptr<RowsPage>> WriteRunner::Analyzed(AdmittedRequest& request,
                                                        const std::function<void(const BuiltWrite&)>& bound,
                                                        std::vector<std::string>& warnings) const {
  WR_ASSIGN_OR_RETURN(BuiltWrite built, Build(request));
  bound(built);
  WR_RETURN_IF_ERROR(Admit(built, warnings));
  WR_RETURN_IF_ERROR(Apply(built));
  return built.rows;
}

OutcomeCallback WriteRunner::Measured(const PreparedPtr& statement, const BuiltWrite& built, uint32_t stands_for,
                                      OutcomeCallback done) const {
  TouchedPartitions touched;
  touched.Add(built.named());
  return [load = &state_.load, gate = state_.load.gate(), statement, touched = std::move(touched), stands_for,
          begun = LoadRecorder::SteadyClock::now(), done = std::move(done)](Result<Outcome> outcome) mutable {
    if (outcome.ok()) {
      gate->Pass([&] { load->EndWrite(*statement->record, stands_for, begun, touched, outcome->warnings); });
    }
    done(std::move(outcome));
  };
}

OutcomeCallback WriteRunner::Counted(const BuiltWrite& built, OutcomeCallback done) const {
  return [load = &state_.load, gate = state_.load.gate(), decided = built.decided,
          done = std::move(done)](Result<Outcome> outcome) mutable {
    if (outcome.ok()) {
      const auto* const rows = std::get_if<RowsPage>(&outcome->result);  // The answer of a conditional write.
      if (rows == nullptr || IsApplied(*rows)) gate->Pass([&] { load->CountWrites(*decided); });
    }
    done(std::move(outcome));
  };
}

Result<bool> WriteRunner::Submit(AdmittedRequest& request, const PreparedPtr& statement, OutcomeCallback done) const {
  WR_ASSIGN_OR_RETURN(BuiltWrite built, Build(request));
  if (built.write.decide && statement->id.empty()) return false;
  std::vector<std::string> warnings;
  if (Status admitted = Admit(built, warnings); !admitted.ok()) {
    return Warned(admitted.error(), std::move(warnings), request.parameters());
  }
  DropEmptyPartitions(built.write.mutation);
  if (built.decided == nullptr) {
    state_.load.CountWrites(built.write.mutation);
  } else {
    done = Counted(built, std::move(done));
  }
  if (const uint32_t stands_for = state_.load.BeginWrite(statement->record.get()); stands_for != 0) [[unlikely]] {
    done = Measured(statement, built, stands_for, std::move(done));
  }
  Outcome outcome{.warnings = statement->plan->warnings};
  for (std::string& warning : warnings) outcome.warnings.push_back(std::move(warning));
  if (built.write.mutation.empty() && !built.write.decide) {
    done(std::move(outcome));
    return true;
  }
  // A decide step borrows from the plan, so the callback keeps the statement.
  state_.storage->Submit(std::move(built.write), [done = std::move(done), outcome = std::move(outcome), statement,
                                                  rows = std::move(built.rows)](Status status) mutable {
    if (!status.ok()) return done(status.error());
    if (rows != nullptr) outcome.result = std::move(*rows);
    done(std::move(outcome));
  });
  return true;
}

Result<WriteRunner::Batched> WriteRunner::BindBatch(std::span<const BatchEntry> entries,
                                                    const RequestParameters& parameters, RequestTrace& trace) const {
  const WriteRequest common = MakeWriteRequest(parameters);
  Batched batched;
  batched.named.resize(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    WR_ASSIGN_OR_RETURN(PreparedPtr statement, planner_.Renewed(entries[i].statement));
    if (trace.on()) trace.Event("Batched: " + statement->text);
    const auto* plan = std::get_if<ModifyPlan>(&statement->plan->node);
    if (plan == nullptr) {
      return InvalidError("Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
    }
    WR_ASSIGN_OR_RETURN(const Permit permit, state_.gate.AdmitPart(*statement->plan, parameters));
    if (IsVirtual(*plan->table)) return ReadOnly(*plan->table);
    batched.bound.push_back({.permit = permit, .request = common});
    WR_ASSIGN_OR_RETURN(batched.bound.back().request.context.markers,
                        BindMarkers(statement->plan->markers, entries[i].values, entries[i].names, SentAs::kBatchPart,
                                    batched.named[i]));
    for (const std::string& warning : statement->plan->warnings) AddWarning(warning, batched.warnings);
    batched.tables.push_back(plan->table);
    batched.statements.push_back(std::move(statement));
  }
  return batched;
}

Result<Outcome> WriteRunner::Batch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                                   const RequestParameters& parameters, RequestTrace& trace) const {
  WR_RETURN_IF_ERROR(RefuseNodeLocal(parameters.consistency));
  WR_ASSIGN_OR_RETURN(Batched batched, BindBatch(entries, parameters, trace));
  BatchRules rules{.kind = kind, .statements = {}, .timestamp = {}};
  for (const BoundStatement& statement : batched.bound) rules.statements.push_back(&statement.plan());
  WR_RETURN_IF_ERROR(CheckBatch(rules));
  WR_ASSIGN_OR_RETURN(BuiltWrite built, BuildWrite(batched.bound));
  const bool conditional = built.rows != nullptr;
  if (conditional) {
    WR_RETURN_IF_ERROR(CheckConditionalConsistency(*state_.Schema(), *batched.tables[0], parameters.consistency,
                                                   parameters.serial_consistency));
  }
  Outcome done{.warnings = std::move(batched.warnings)};
  Status applied = OkStatus();
  if (parameters.guarded && !conditional) applied = GuardBatch(kind, batched.tables, built.write, done.warnings);
  if (applied.ok()) applied = Admit(built, done.warnings);
  if (applied.ok()) applied = ApplyBatch(batched.statements, built, done.warnings);
  if (!applied.ok()) return Warned(applied.error(), std::move(done.warnings), parameters);
  if (conditional) done.result = std::move(*built.rows);
  return done;
}

Status WriteRunner::ApplyBatch(const std::vector<PreparedPtr>& statements, BuiltWrite& built,
                               std::vector<std::string>& warnings) const {
  std::vector<StatementRecord*> records;
  for (const PreparedPtr& statement : statements) records.push_back(statement->record.get());
  const uint32_t stands_for = state_.load.BeginBatch(records);
  if (stands_for == 0) return Apply(built);
  TouchedPartitions touched;
  touched.Add(built.named());
  const auto begun = LoadRecorder::SteadyClock::now();
  WR_RETURN_IF_ERROR(Apply(built));
  state_.load.EndBatch(records, stands_for, begun, touched, warnings);
  return OkStatus();
}

}  // namespace widerow
