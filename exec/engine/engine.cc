#include "exec/engine/engine.h"

#include "base/overloaded.h"
#include "exec/access/access_control.h"
#include "exec/advise/advisor.h"
#include "exec/balance/partition_middle.h"
#include "exec/derived/maintenance.h"
#include "exec/describe/describe.h"
#include "exec/engine/engine_internal.h"
#include "exec/guardrails/guard_statement.h"
#include "exec/load/load_recorder.h"
#include "exec/prepared/prepared_cache.h"
#include "exec/prepared/shape_cache.h"
#include "exec/rows/paging.h"
#include "exec/select/select.h"
#include "exec/virtual/virtual_tables.h"
#include "exec/write/modify.h"
#include "parser/parse.h"
#include "planner/generated/generated_columns.h"
#include "planner/views/key_order.h"

namespace widerow {

namespace {

constexpr size_t kPreparedCacheEntries = 10'000;

Error OnlySelects() {
  return InvalidError("A snapshot only reads: of all statements it runs SELECT", "run others without a snapshot");
}

}  // namespace

Engine::Engine(std::unique_ptr<StorageEngine> storage, LanguageOptions language, EngineOptions options)
    : storage_(std::move(storage)),
      language_(language),
      guardrails_(GuardrailsFor(language, options.guardrails)),
      read_limits_(options.reads),
      throughput_(storage_->clock(), options.capacity),
      load_(std::make_unique<LoadRecorder>(*storage_, guardrails_)),
      virtual_tables_(std::make_unique<VirtualTables>()),
      schema_(VirtualTables::AddTo(WithOrderedViewKeys(WithCompiledColumns(storage_->LoadedSchema())))),
      access_(options.access.mode == AccessMode::kOff
                  ? nullptr
                  : std::make_unique<AccessControl>(
                        options.access, [this] { return schema(); }, [this] { return schema_.version(); })),
      cache_(std::make_unique<PreparedCache>(kPreparedCacheEntries)),
      shapes_(std::make_unique<ShapeCache>()),
      balancer_(
          *storage_, [this] { return schema(); },
          [this](const TablePtr& before, TableSchema after) { return ChangePartitions(before, std::move(after)); },
          options.balance),
      builder_(
          *storage_, [this] { return schema(); },
          [this](const TablePtr& base, const TableDerivation& built) { return PublishBuilt(base, built); },
          options.log) {
  throughput_.SetSchema(*schema_.Load());
  storage_->SetDerivedWrites(std::make_shared<DerivedMaintenance>(*storage_));
  builder_.Look();
}

Engine::~Engine() = default;

const StatementLoad& Engine::statements() const { return load_->statements(); }
HeatMap& Engine::heat() { return load_->heat(); }

void Engine::AddSchemaListener(SchemaListener listener) {
  MutexLock lock(ddl_mutex_);
  listeners_.push_back(std::move(listener));
}

Result<Outcome> Engine::Execute(std::string_view text, const RequestParameters& parameters) {
  RequestTrace trace(traces_, parameters, "Execute CQL3 query", text, storage_->clock().NowMicros());
  if (trace.on()) trace.Event("Parsing " + WithoutPassword(text));
  if (parameters.snapshot != nullptr) {
    const Result<PreparedPtr> statement = PlanFor(text, parameters.keyspace, parameters.snapshot->schema());
    return trace.End(statement.ok() ? RunOnSnapshot(**statement, parameters, trace) : statement.error());
  }
  if (!trace.on()) {
    if (std::optional<Result<Outcome>> outcome = RunShaped(text, parameters, trace)) return std::move(*outcome);
  }
  const Result<PreparedPtr> statement = PlanText(text, parameters.keyspace);
  if (statement.ok()) shapes_->Insert(*statement);
  return trace.End(statement.ok() ? Run(**statement, parameters, trace) : statement.error());
}

// Runs a text whose shape has been planned before. nullopt: it has to be planned itself, so that an error is about its
// own words and places. An invalid request has changed nothing, so that it may be tried twice.
std::optional<Result<Outcome>> Engine::RunShaped(std::string_view text, const RequestParameters& parameters,
                                                 RequestTrace& trace) {
  ShapeCache::Found found = shapes_->Find(text, parameters.keyspace);
  if (found.statement == nullptr || !StillValid(*found.statement)) return std::nullopt;
  if (!found.is_template) return trace.End(Run(*found.statement, parameters, trace));
  if (!parameters.values.empty()) return std::nullopt;
  PreparedStatement statement = *found.statement;
  statement.text = text;
  RequestParameters bound = parameters;
  bound.values = std::move(found.constants);
  bound.names.clear();
  Result<Outcome> outcome = Run(statement, bound, trace);
  if (!outcome.ok() && (outcome.error().code == ErrorCode::kInvalid || outcome.error().range)) return std::nullopt;
  return trace.End(std::move(outcome));
}

std::optional<BatchEntry> Engine::FindShaped(std::string_view text, std::vector<BoundValue> values,
                                             std::string_view keyspace) {
  ShapeCache::Found found = shapes_->Find(text, keyspace);
  if (found.statement == nullptr || !StillValid(*found.statement)) return std::nullopt;
  if (found.is_template && !values.empty()) return std::nullopt;
  return BatchEntry{.statement = std::move(found.statement),
                    .values = found.is_template ? std::move(found.constants) : std::move(values),
                    .names = {}};
}

Result<Outcome> Engine::ExecutePrepared(const PreparedStatement& statement, const RequestParameters& parameters) {
  RequestTrace trace(traces_, parameters, "Execute CQL3 prepared query", statement.text,
                     parameters.trace ? storage_->clock().NowMicros() : 0);
  if (parameters.snapshot != nullptr) return trace.End(RunOnSnapshot(statement, parameters, trace));
  if (StillValid(statement)) return trace.End(Run(statement, parameters, trace));
  trace.Event("The schema has changed: preparing again");
  const Result<PreparedPtr> again = PlanAgain(statement);
  return trace.End(again.ok() ? Run(**again, parameters, trace) : again.error());
}

Result<Outcome> Engine::ExecuteBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                                     const RequestParameters& parameters) {
  if (parameters.snapshot != nullptr) return OnlySelects();
  RequestTrace trace(traces_, parameters, "Execute batch of CQL3 queries", "", storage_->clock().NowMicros());
  return trace.End(RunBatch(kind, entries, parameters, trace));
}

Result<Outcome> Engine::Run(const PreparedStatement& statement, const RequestParameters& parameters,
                            RequestTrace& trace) {
  if (trace.on() && Authorize(*statement.plan, parameters).ok()) {
    for (std::string& line : Explain(*statement.plan)) trace.Event(std::move(line));
  }
  return RunPlan(statement, parameters);
}

Result<SnapshotPtr> Engine::OpenSnapshot(const SnapshotLimits& limits) {
  if (limits.age_max.count() < 1 || limits.age_max > SnapshotLimits::kAgeMax) {
    return InvalidError("A snapshot lasts from 1 ms to " + std::to_string(SnapshotLimits::kAgeMax.count()) +
                        " ms, not " + std::to_string(limits.age_max.count()) + " ms");
  }
  MutexLock lock(ddl_mutex_);  // So that rows and schema are of one moment.
  WR_ASSIGN_OR_RETURN(std::unique_ptr<HeldSnapshot> held, storage_->HoldSnapshot());
  return snapshots_.Open(schema(), std::move(held), limits);
}

// A statement as it was prepared, or, if the schema was another when the snapshot was opened, planned for that one.
Result<Outcome> Engine::RunOnSnapshot(const PreparedStatement& statement, const RequestParameters& parameters,
                                      RequestTrace& trace) {
  if (!std::holds_alternative<SelectPlan>(statement.plan->node)) return OnlySelects();
  if (!IsPlannedFor(statement, *parameters.snapshot->schema())) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, PlanAgainOn(*parameters.snapshot, statement));
    return RunOnSnapshot(*again, parameters, trace);
  }
  WR_ASSIGN_OR_RETURN(const Snapshot::Turn turn, parameters.snapshot->TakeTurn());
  return Run(statement, parameters, trace);
}

Result<Outcome> Engine::RunPlan(const PreparedStatement& statement, const RequestParameters& parameters) {
  WR_RETURN_IF_ERROR(Authorize(*statement.plan, parameters));
  WR_RETURN_IF_ERROR(CheckConsistency(*statement.plan, parameters.consistency));
  Result<Outcome> outcome = std::visit(
      Overloaded{
          [&](const SelectPlan& plan) { return RunRows(statement, plan, parameters); },
          [&](const ModifyPlan& plan) { return RunWrite(statement, plan, parameters); },
          [&](const BatchPlan& plan) { return RunWrite(statement, plan, parameters); },
          [&](const TruncatePlan& plan) { return RunTruncate(plan); },
          [&](const UsePlan& plan) -> Result<Outcome> { return Outcome{.result = UseOutcome{plan.keyspace}}; },
          [&](const DdlPlan& plan) { return RunDdl(plan, parameters); },
          [&](const RolePlan& plan) { return RunRole(plan, parameters); },
          [&](const DescribePlan& plan) { return RunDescription(statement, plan, parameters); },
          [&](const AdvisePlan& plan) -> Result<Outcome> {
            Result<advise::Findings> findings = Advise(*plan.statement, plan.current_keyspace);
            if (findings.ok()) return Outcome{.result = AdviceRows(*findings)};
            // Of a statement within the text, places in the text say nothing.
            if (!plan.statement->statement.empty()) findings.error().range.reset();
            return std::move(findings).error();
          },
          [&](const ExplainPlan& plan) -> Result<Outcome> {
            if (plan.analyze) return RunAnalyze(statement, plan, parameters);
            return Outcome{.result = RunExplain(plan)};
          },
      },
      statement.plan->node);
  if (outcome.ok()) {
    auto& warnings = outcome->warnings;
    warnings.insert(warnings.begin(), statement.plan->warnings.begin(), statement.plan->warnings.end());
  }
  return outcome;
}

Result<Statement> Engine::ParseText(std::string_view text) const { return Parse(text, language_.dialect); }

Result<advise::Findings> Engine::Advise(const AdviseStatement& statement, const std::string& current_keyspace) {
  std::vector<RecordedStatement> load;
  for (StatementFacts& facts : load_->statements().List()) {
    load.push_back({.keyspace = std::move(facts.keyspace),
                    .text = std::move(facts.text),
                    .plan = std::move(facts.plan),
                    .calls = facts.executions,
                    .rows_examined = facts.rows_examined,
                    .rows_returned = facts.rows_returned,
                    .micros = facts.micros});
  }
  return widerow::Advise(statement, {.schema = schema(),
                                     .storage = *storage_,
                                     .language = language_,
                                     .current_keyspace = current_keyspace,
                                     .load = std::move(load),
                                     .heat = &load_->heat()});
}

Result<Outcome> Engine::RunDescription(const PreparedStatement& statement, const DescribePlan& plan,
                                       const RequestParameters& parameters) const {
  const SchemaPtr now = schema();
  const DescribeRequest request{.schema = *now,
                                .connection = parameters.connection.get(),
                                .page_rows = parameters.page_rows,
                                .paging_state = parameters.paging_state,
                                .fingerprint = PagingFingerprint(statement.text, statement.keyspace, {})};
  WR_ASSIGN_OR_RETURN(RowsPage page, RunDescribe(plan, request));
  return Outcome{.result = std::move(page)};
}

}  // namespace widerow
