// Engine's writes: one statement, several, waited for or not.
#include <algorithm>

#include "exec/engine/engine_internal.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/load/load_recorder.h"
#include "exec/virtual/virtual_tables.h"
#include "exec/write/batch_guards.h"
#include "exec/write/decided_write.h"
#include "exec/write/modify.h"
#include "planner/write/batch_rules.h"

namespace widerow {
namespace {

void AddWarning(const std::string& warning, std::vector<std::string>& warnings) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

// What had been warned of is told with the error, too.
Error Warned(Error error, std::vector<std::string> warnings, const RequestParameters& parameters) {
  if (parameters.warnings_of_error != nullptr) *parameters.warnings_of_error = std::move(warnings);
  return error;
}

}  // namespace

bool Engine::SubmitPrepared(const PreparedPtr& statement, const RequestParameters& parameters,
                            std::function<void(Result<Outcome>)> done) {
  const auto* plan = std::get_if<ModifyPlan>(&statement->plan->node);
  if (plan == nullptr || parameters.trace || IsVirtual(*plan->table) || !StillValid(*statement)) return false;
  Status allowed = Authorize(*statement->plan, parameters);
  if (allowed.ok()) allowed = CheckConsistency(*statement->plan, parameters.consistency);
  if (!allowed.ok()) {
    done(allowed.error());
    return true;
  }
  Result<BuiltWrite> built = BindWrite(*statement, *plan, parameters);
  if (!built.ok()) {
    done(built.error());
    return true;
  }
  std::vector<std::string> warnings;
  if (Status admitted = AdmitWrite(*built, warnings); !admitted.ok()) {
    done(Warned(admitted.error(), std::move(warnings), parameters));
    return true;
  }
  SubmitBuilt(statement, std::move(*built), std::move(warnings), std::move(done));
  return true;
}

bool Engine::SubmitShaped(const PreparedPtr& statement, const RequestParameters& parameters,
                          std::function<void(Result<Outcome>)> done) {
  const auto* plan = std::get_if<ModifyPlan>(&statement->plan->node);
  if (plan == nullptr || parameters.trace || IsVirtual(*plan->table)) return false;
  if (!Authorize(*statement->plan, parameters).ok()) return false;
  if (!CheckConsistency(*statement->plan, parameters.consistency).ok()) return false;
  Result<BuiltWrite> built = BindWrite(*statement, *plan, parameters);
  if (!built.ok() || built->write.decide) return false;
  std::vector<std::string> warnings;
  if (Status admitted = AdmitWrite(*built, warnings); !admitted.ok()) {
    if (admitted.error().code == ErrorCode::kInvalid) return false;
    done(admitted.error());
    return true;
  }
  SubmitBuilt(statement, std::move(*built), std::move(warnings), std::move(done));
  return true;
}

Status Engine::AdmitWrite(const BuiltWrite& built, std::vector<std::string>& warnings) {
  if (guardrails_.on()) {
    WR_RETURN_IF_ERROR(GuardWrite(built, storage_->clock().NowSeconds() * 1'000'000, guardrails_, warnings));
    WR_RETURN_IF_ERROR(load_->GuardDataFile(warnings));
  }
  bool metered = throughput_.capacity().any();
  for (const PartitionMutation& partition : built.named())
    metered = metered || partition.table->options.throughput.any();
  if (!metered) [[likely]]
    return OkStatus();
  for (const PartitionMutation& partition : built.named()) {
    if (throughput_.Meters(*partition.table)) WR_RETURN_IF_ERROR(throughput_.Admit(*partition.table, Access::kWrite));
  }
  for (const PartitionMutation& partition : built.named()) {
    if (!throughput_.Meters(*partition.table)) continue;
    throughput_.Charge(*partition.table, Access::kWrite, UnitsOf(partition.rows.size(), WrittenBytes(partition)));
  }
  return OkStatus();
}

std::function<void(Result<Outcome>)> Engine::Metered(const PreparedPtr& statement, const BuiltWrite& built,
                                                     uint32_t stands_for, std::function<void(Result<Outcome>)> done) {
  TouchedPartitions touched;
  touched.Add(built.named());
  return [load = load_.get(), gate = load_->gate(), statement, touched = std::move(touched), stands_for,
          begun = LoadRecorder::SteadyClock::now(), done = std::move(done)](Result<Outcome> outcome) mutable {
    if (outcome.ok()) {
      gate->Pass([&] { load->EndWrite(*statement->record, stands_for, begun, touched, outcome->warnings); });
    }
    done(std::move(outcome));
  };
}

void Engine::SubmitBuilt(const PreparedPtr& statement, BuiltWrite built, std::vector<std::string> warnings,
                         std::function<void(Result<Outcome>)> done) {
  DropEmptyPartitions(built.write.mutation);
  if (const uint32_t stands_for = load_->Begin(statement->record.get()); stands_for != 0) [[unlikely]] {
    done = Metered(statement, built, stands_for, std::move(done));
  }
  Outcome outcome{.warnings = statement->plan->warnings};
  for (std::string& warning : warnings) outcome.warnings.push_back(std::move(warning));
  if (built.write.mutation.empty() && !built.write.decide) return done(std::move(outcome));
  // A decide step borrows from the plan: the statement is kept until it has run.
  storage_->Submit(std::move(built.write), [done = std::move(done), outcome = std::move(outcome), statement,
                                            rows = std::move(built.rows)](Status status) mutable {
    if (!status.ok()) return done(status.error());
    if (rows != nullptr) outcome.result = std::move(*rows);
    done(std::move(outcome));
  });
}

Result<Outcome> Engine::RunBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                                 const RequestParameters& parameters, RequestTrace& trace) {
  WR_RETURN_IF_ERROR(RefuseNodeLocal(parameters.consistency));
  const WriteRequest common = MakeWriteRequest(parameters);
  std::vector<TablePtr> tables;
  std::vector<PreparedPtr> kept;  // Plans and values outlive the write.
  std::vector<std::vector<BoundValue>> named(entries.size());
  std::vector<BoundStatement> bound;
  Outcome done;
  for (size_t i = 0; i < entries.size(); ++i) {
    PreparedPtr statement = entries[i].statement;
    if (!StillValid(*statement)) {
      // Nobody has been told of the markers of one that came as text.
      const bool as_text = statement->id.empty();
      WR_ASSIGN_OR_RETURN(statement, as_text ? Prepare(statement->text, statement->keyspace) : PlanAgain(*statement));
    }
    if (trace.on()) trace.Event("Batched: " + statement->text);
    const auto* plan = std::get_if<ModifyPlan>(&statement->plan->node);
    if (plan == nullptr) {
      return InvalidError("Invalid statement in batch: only UPDATE, INSERT and DELETE statements are allowed.");
    }
    WR_RETURN_IF_ERROR(Authorize(*statement->plan, parameters));
    if (IsVirtual(*plan->table)) return ReadOnly(*plan->table);
    bound.push_back({.plan = plan, .request = common});
    WR_ASSIGN_OR_RETURN(
        bound.back().request.context.markers,
        BindMarkers(statement->plan->markers, entries[i].values, entries[i].names, SentAs::kBatchPart, named[i]));
    for (const std::string& warning : statement->plan->warnings) AddWarning(warning, done.warnings);
    tables.push_back(plan->table);
    kept.push_back(std::move(statement));
  }
  BatchRules rules{.kind = kind, .statements = {}, .timestamp = {}};
  for (const BoundStatement& statement : bound) rules.statements.push_back(statement.plan);
  WR_RETURN_IF_ERROR(CheckBatch(rules));
  WR_ASSIGN_OR_RETURN(BuiltWrite built, BuildWrite(bound));
  const bool conditional = built.rows != nullptr;
  if (conditional) {
    WR_RETURN_IF_ERROR(
        CheckConditionalConsistency(*schema(), *tables[0], parameters.consistency, parameters.serial_consistency));
  }
  Status applied = OkStatus();
  if (parameters.guarded && !conditional) applied = GuardBatch(kind, tables, built.write, done.warnings);
  if (applied.ok()) applied = AdmitWrite(built, done.warnings);
  if (applied.ok()) applied = ApplyBatch(kept, built, done.warnings);
  if (!applied.ok()) return Warned(applied.error(), std::move(done.warnings), parameters);
  if (conditional) done.result = std::move(*built.rows);
  return done;
}

Status Engine::ApplyWrite(BuiltWrite& built) {
  Write& write = built.write;
  DropEmptyPartitions(write.mutation);
  if (write.mutation.empty() && !write.decide) return OkStatus();
  return storage_->Apply(std::move(write));
}

Status Engine::ApplyMetered(StatementRecord* record, BuiltWrite& built, std::vector<std::string>& warnings) {
  const uint32_t stands_for = load_->Begin(record);
  if (stands_for == 0) [[likely]]
    return ApplyWrite(built);
  TouchedPartitions touched;
  touched.Add(built.named());
  const auto begun = LoadRecorder::SteadyClock::now();
  WR_RETURN_IF_ERROR(ApplyWrite(built));
  load_->EndWrite(*record, stands_for, begun, touched, warnings);
  return OkStatus();
}

Status Engine::ApplyBatch(const std::vector<PreparedPtr>& statements, BuiltWrite& built,
                          std::vector<std::string>& warnings) {
  std::vector<StatementRecord*> records;
  for (const PreparedPtr& statement : statements) records.push_back(statement->record.get());
  const uint32_t stands_for = load_->BeginBatch(records);
  if (stands_for == 0) return ApplyWrite(built);
  TouchedPartitions touched;
  touched.Add(built.named());
  const auto begun = LoadRecorder::SteadyClock::now();
  WR_RETURN_IF_ERROR(ApplyWrite(built));
  load_->EndBatch(records, stands_for, begun, touched, warnings);
  return OkStatus();
}

WriteRequest Engine::MakeWriteRequest(const RequestParameters& parameters) {
  const int64_t now_micros = storage_->clock().NowMicros();
  WriteRequest request;
  request.context.function.now_micros = now_micros;
  request.timestamp = parameters.timestamp ? *parameters.timestamp : storage_->NextTimestampMicros();
  request.now_seconds = parameters.now_seconds.value_or(now_micros / 1'000'000);
  request.storage = storage_.get();
  return request;
}

Result<BuiltWrite> Engine::BindWrite(const PreparedStatement& statement, const ModifyPlan& plan,
                                     const RequestParameters& parameters) {
  std::vector<BoundValue> named;
  WriteRequest request = MakeWriteRequest(parameters);
  WR_ASSIGN_OR_RETURN(request.context.markers, BindMarkers(statement.plan->markers, parameters.values, parameters.names,
                                                           HowSent(statement), named));
  WR_ASSIGN_OR_RETURN(BuiltWrite built, BuildWrite(plan, request));
  if (built.rows != nullptr) {
    WR_RETURN_IF_ERROR(CheckConditionalConsistency(*statement.schema, *plan.table, parameters.consistency,
                                                   parameters.serial_consistency));
  }
  return built;
}

template <typename WritePlan>
Result<Outcome> Engine::RunWrite(const PreparedStatement& statement, const WritePlan& plan,
                                 const RequestParameters& parameters) {
  for (const TablePtr& table : statement.plan->tables) {
    if (IsVirtual(*table)) return ReadOnly(*table);
  }
  std::vector<BoundValue> named;
  WR_ASSIGN_OR_RETURN(const auto values, BindMarkers(statement.plan->markers, parameters.values, parameters.names,
                                                     HowSent(statement), named));
  WriteRequest request = MakeWriteRequest(parameters);
  request.context.markers = values;
  WR_ASSIGN_OR_RETURN(BuiltWrite built, BuildWrite(plan, request));
  Outcome done;
  const bool conditional = built.rows != nullptr;
  if (conditional) {
    WR_RETURN_IF_ERROR(CheckConditionalConsistency(*statement.schema, *statement.plan->tables[0],
                                                   parameters.consistency, parameters.serial_consistency));
  }
  Status applied = OkStatus();
  if constexpr (std::is_same_v<WritePlan, BatchPlan>) {
    std::vector<TablePtr> tables;
    for (const ModifyPlan& part : plan.statements) tables.push_back(part.table);
    if (parameters.guarded && !conditional) applied = GuardBatch(plan.kind, tables, built.write, done.warnings);
  }
  if (applied.ok()) applied = AdmitWrite(built, done.warnings);
  if (applied.ok()) applied = ApplyMetered(statement.record.get(), built, done.warnings);
  if (!applied.ok()) {
    done.warnings.insert(done.warnings.begin(), statement.plan->warnings.begin(), statement.plan->warnings.end());
    return Warned(applied.error(), std::move(done.warnings), parameters);
  }
  if (conditional) done.result = std::move(*built.rows);
  return done;
}

template Result<Outcome> Engine::RunWrite(const PreparedStatement&, const ModifyPlan&, const RequestParameters&);
template Result<Outcome> Engine::RunWrite(const PreparedStatement&, const BatchPlan&, const RequestParameters&);

}  // namespace widerow
