#include "exec/engine/engine.h"

#include "base/overloaded.h"
#include "exec/advise/advisor.h"
#include "exec/derived/maintenance.h"
#include "exec/describe/describe.h"
#include "exec/engine/analyze.h"
#include "exec/engine/blob_read.h"
#include "exec/engine/blob_write.h"
#include "exec/engine/bulk_insert.h"
#include "exec/engine/optimistic_transaction.h"
#include "exec/engine/schema_changes.h"
#include "exec/engine/select_runner.h"
#include "exec/engine/statement_planner.h"
#include "exec/engine/write_runner.h"
#include "exec/rows/paging.h"

namespace widerow {

namespace {

Error OnlySelects() {
  return InvalidError("A snapshot only reads: of all statements it runs SELECT", "run others without a snapshot");
}

bool IsSelect(const PreparedStatement& statement) { return std::holds_alternative<SelectPlan>(statement.plan->node); }

Result<Outcome> RunDescription(const SchemaSnapshot& schema, const AdmittedRequest& request) {
  const RequestParameters& parameters = request.parameters();
  const DescribeRequest describe{.schema = schema,
                                 .connection = parameters.connection.get(),
                                 .page_rows = parameters.page_rows,
                                 .paging_state = parameters.paging_state,
                                 .scope = ScopeOfText(request.statement().text, request.statement().keyspace)};
  WR_ASSIGN_OR_RETURN(RowsPage page, RunDescribe(request.plan_as<DescribePlan>(), describe));
  return Outcome{.result = std::move(page)};
}

}  // namespace

Engine::Engine(std::unique_ptr<StorageEngine> storage, LanguageOptions language, EngineOptions options)
    : state_(std::make_unique<EngineState>(std::move(storage), language, options)),
      changes_(std::make_unique<SchemaChanges>(*state_, options)),
      planner_(std::make_unique<StatementPlanner>(*state_)),
      reads_(std::make_unique<SelectRunner>(*state_, changes_->builder())),
      writes_(std::make_unique<WriteRunner>(*state_, *planner_)),
      analyzer_(std::make_unique<Analyzer>(*state_, *reads_, *writes_)) {
  state_->storage->SetDerivedWrites(
      std::make_shared<DerivedMaintenance>(*state_->storage, [changes = changes_.get()] { changes->StaleRowsLeft(); }));
  changes_->ContinueBuilds();
}

Engine::~Engine() {
  // The storage applies queued writes after changes_ is destroyed, so it must no longer call changes_.
  state_->storage->SetDerivedWrites(std::make_shared<DerivedMaintenance>(*state_->storage, [] {}));
}

SnapshotRegistry& Engine::snapshots() { return state_->snapshots; }
BackupRegistry& Engine::backups() { return state_->backups; }
ConnectionRegistry& Engine::connections() { return state_->connections; }
RequestCounts& Engine::request_counts() { return state_->request_counts; }
const StatementTimes& Engine::statement_times() const { return state_->load.times(); }
SchemaPtr Engine::schema() const { return state_->Schema(); }
const StorageEngine& Engine::storage() const { return *state_->storage; }
const std::shared_ptr<StatementLog>& Engine::statement_log() const { return state_->statements; }
Clock& Engine::clock() { return state_->storage->clock(); }
Status Engine::TakesWrites() const { return state_->storage->TakesWrites(); }
Status Engine::Flush() { return state_->storage->Flush(); }
Logins* Engine::logins() { return state_->logins_required() ? &state_->access->logins() : nullptr; }
Status Engine::EnsureSuperuser(const std::string& password) { return changes_->EnsureSuperuser(password); }
Result<SnapshotPtr> Engine::OpenSnapshot(const SnapshotLimits& limits) { return changes_->OpenSnapshot(limits); }

SnapshotPtr Engine::FindSnapshot(const Uuid& id, const std::shared_ptr<const ConnectionFacts>& connection) const {
  SnapshotPtr snapshot = state_->snapshots.Find(id);
  if (snapshot == nullptr || snapshot->of_answer()) return nullptr;
  if (state_->access == nullptr) return snapshot;
  const Result<Actor> actor = state_->access->ActorOf({.connection = connection});
  if (!actor.ok()) return nullptr;
  const bool may_use = actor->superuser() || connection->user->role_id() == snapshot->owner();
  return may_use ? snapshot : nullptr;
}

void Engine::AddSchemaListener(std::function<void(const SchemaChange&)> listener) {
  changes_->AddListener(std::move(listener));
}

Result<PreparedPtr> Engine::Prepare(std::string_view text, std::string_view keyspace) {
  return planner_->Prepare(text, keyspace);
}

Result<TracedStatement> Engine::Prepare(std::string_view text, const RequestParameters& parameters) {
  if (state_->access != nullptr) WR_RETURN_IF_ERROR(state_->access->ActorOf(parameters));
  RequestTrace trace(state_->traces, parameters, "Preparing CQL3 query", text, clock().NowMicros());
  const Result<PreparedPtr> statement = planner_->Prepare(text, parameters.keyspace);
  if (!statement.ok()) {
    StatementWatch(*state_->statements, text, parameters).EndWith(&statement.error(), 0);
    trace.Fail(statement.error());
    return statement.error();
  }
  // The trace shows the plan, as EXPLAIN does, but only to those who may run the statement.
  if (trace.on() && state_->gate.Admit(*(*statement)->plan, parameters).ok()) {
    for (std::string& line : Explain(*(*statement)->plan)) trace.Event(std::move(line));
  }
  return TracedStatement{.statement = *statement, .trace_id = trace.Complete()};
}

Result<Outcome> Engine::Execute(std::string_view text, const RequestParameters& parameters) {
  RequestTrace trace(state_->traces, parameters, "Execute CQL3 query", text, clock().NowMicros());
  StatementWatch watch(*state_->statements, text, parameters);
  if (trace.on()) trace.Event("Parsing " + WithoutPassword(text));
  if (parameters.snapshot != nullptr) {
    const auto statement = planner_->PlanFor(text, parameters.keyspace, parameters.snapshot->schema());
    return trace.End(statement.ok() ? RunOnSnapshot(**statement, parameters, trace, watch)
                                    : watch.End(statement.error()));
  }
  if (!trace.on()) {
    if (std::optional<Result<Outcome>> outcome = RunShaped(text, parameters, trace, watch)) return std::move(*outcome);
  }
  const Result<PreparedPtr> statement = planner_->PlanShape(text, parameters.keyspace);
  return trace.End(watch.End(statement.ok() ? Run(**statement, parameters, trace, watch) : statement.error()));
}

// Returns nullopt if no earlier text has a plan that fits, if the request has values, or if the text's constants are
// refused as invalid. Nothing has changed then, and the caller must plan the text.
std::optional<Result<Outcome>> Engine::RunShaped(std::string_view text, const RequestParameters& parameters,
                                                 RequestTrace& trace, StatementWatch& watch) {
  ShapeCache::Found found = planner_->FindShape(text, parameters.keyspace);
  if (found.statement == nullptr) return std::nullopt;
  if (!found.is_template) return trace.End(watch.End(Run(*found.statement, parameters, trace, watch)));
  if (!parameters.values.empty()) return std::nullopt;
  PreparedStatement statement = *found.statement;
  statement.text = text;
  RequestParameters bound = parameters;
  bound.values = std::move(found.constants);
  bound.names.clear();
  Result<Outcome> outcome = Run(statement, bound, trace, watch);
  if (!outcome.ok() && (outcome.error().code == ErrorCode::kInvalid || outcome.error().range)) {
    watch.Runs(nullptr);
    return std::nullopt;
  }
  return trace.End(watch.End(std::move(outcome)));
}

Result<Outcome> Engine::ExecutePrepared(const PreparedStatement& statement, const RequestParameters& parameters) {
  RequestTrace trace(state_->traces, parameters, "Execute CQL3 prepared query", statement.text,
                     parameters.trace ? clock().NowMicros() : 0);
  StatementWatch watch(*state_->statements, statement.text, parameters);
  if (parameters.snapshot != nullptr) return trace.End(RunOnSnapshot(statement, parameters, trace, watch));
  if (planner_->StillValid(statement)) return trace.End(watch.End(Run(statement, parameters, trace, watch)));
  trace.Event("The schema has changed: preparing again");
  const Result<PreparedPtr> again = planner_->PlanAgain(statement);
  return trace.End(watch.End(again.ok() ? Run(**again, parameters, trace, watch) : again.error()));
}

Result<Outcome> Engine::ExecuteBatch(BatchStatement::Kind kind, std::span<const BatchEntry> entries,
                                     const RequestParameters& parameters) {
  if (parameters.snapshot != nullptr) return OnlySelects();
  RequestTrace trace(state_->traces, parameters, "Execute batch of CQL3 queries", "", clock().NowMicros());
  if (!state_->statements->on()) return trace.End(writes_->Batch(kind, entries, parameters, trace));
  const std::string text = TextOfBatch(entries);
  StatementWatch watch(*state_->statements, text, parameters);
  watch.Is(AuditCategory::kDml);
  return trace.End(watch.End(writes_->Batch(kind, entries, parameters, trace)));
}

// Runs the statement. If it was planned for another schema than the snapshot's, it is planned again first.
Result<Outcome> Engine::RunOnSnapshot(const PreparedStatement& statement, const RequestParameters& parameters,
                                      RequestTrace& trace, StatementWatch& watch) {
  if (!IsSelect(statement)) return watch.End(OnlySelects());
  if (!StatementPlanner::IsPlannedFor(statement, *parameters.snapshot->schema())) {
    const Result<PreparedPtr> again = planner_->PlanAgainOn(*parameters.snapshot, statement);
    return again.ok() ? RunOnSnapshot(**again, parameters, trace, watch) : watch.End(again.error());
  }
  const Result<Snapshot::Turn> turn = parameters.snapshot->TakeTurn();
  return watch.End(turn.ok() ? Run(statement, parameters, trace, watch) : turn.error());
}

Result<Outcome> Engine::Run(const PreparedStatement& statement, const RequestParameters& parameters,
                            RequestTrace& trace, StatementWatch& watch) {
  watch.Runs(statement.plan.get());
  WR_ASSIGN_OR_RETURN(const Permit permit, state_->gate.Admit(*statement.plan, parameters));
  AdmittedRequest request(permit, statement, parameters, watch.examined());
  if (trace.on()) {
    for (std::string& line : Explain(*statement.plan)) trace.Event(std::move(line));
  }
  Result<Outcome> outcome = RunAdmitted(request);
  if (outcome.ok()) {
    const std::vector<std::string>& planned = statement.plan->warnings;
    outcome->warnings.insert(outcome->warnings.begin(), planned.begin(), planned.end());
  }
  return outcome;
}

Result<Outcome> Engine::RunAdmitted(AdmittedRequest& request) {
  return std::visit(
      Overloaded{
          [&](const SelectPlan&) { return reads_->Page(request); },
          [&](const ModifyPlan&) { return writes_->Run(request); },
          [&](const BatchPlan&) { return writes_->Run(request); },
          [&](const TruncatePlan&) { return changes_->RunTruncate(request); },
          [&](const UsePlan& plan) -> Result<Outcome> { return Outcome{.result = UseOutcome{plan.keyspace}}; },
          [&](const DdlPlan&) { return changes_->RunDdl(request); },
          [&](const RolePlan&) { return changes_->RunRole(request); },
          [&](const DescribePlan&) { return RunDescription(*schema(), request); },
          [&](const AdvisePlan& plan) -> Result<Outcome> {
            Result<advise::Findings> findings = RunAdvice(request.permit());
            if (findings.ok()) return Outcome{.result = AdviceRows(*findings)};
            // The byte range refers to the inner statement, not to the text of ADVISE.
            if (!plan.statement->statement.empty()) findings.error().range.reset();
            return std::move(findings).error();
          },
          [&](const ExplainPlan& plan) -> Result<Outcome> {
            if (plan.analyze) return analyzer_->Run(request);
            return Outcome{.result = RunExplain(plan)};
          },
      },
      request.plan().node);
}

Result<bool> Engine::ReadPoint(const PreparedStatement& statement, const RequestParameters& parameters,
                               RowsPage& page) {
  const bool plain = AnswersPoint(statement, parameters) && statement.plan->warnings.empty() && !parameters.trace &&
                     parameters.names.empty();
  if (!plain || !planner_->StillValid(statement)) return false;
  StatementWatch watch(*state_->statements, statement.text, parameters);
  watch.Runs(statement.plan.get());
  const auto read = [&]() -> Result<bool> {
    WR_ASSIGN_OR_RETURN(const Permit permit, state_->gate.Admit(*statement.plan, parameters));
    AdmittedRequest request(permit, statement, parameters, watch.examined());
    return reads_->Point(request, page);
  };
  Result<bool> done = read();
  if (watch.on() && (!done.ok() || *done)) watch.EndWith(done.ok() ? nullptr : &done.error(), page.row_count);
  return done;
}

Result<bool> Engine::Submit(const PreparedPtr& statement, const RequestParameters& parameters,
                            std::function<void(Result<Outcome>)> done) {
  if (!std::holds_alternative<ModifyPlan>(statement->plan->node) || parameters.trace ||
      !planner_->StillValid(*statement)) {
    return false;
  }
  const auto submit = [&](OutcomeCallback finished) -> Result<bool> {
    WR_ASSIGN_OR_RETURN(const Permit permit, state_->gate.Admit(*statement->plan, parameters));
    AdmittedRequest request(permit, *statement, parameters);
    return writes_->Submit(request, statement, std::move(finished));
  };
  if (!state_->statements->on()) return submit(std::move(done));
  StatementWatch watch(*state_->statements, statement->text, parameters);
  watch.Runs(statement->plan.get());
  Result<bool> begun = submit(Watched(state_->statements, statement, parameters, std::move(done)));
  if (!begun.ok()) watch.EndWith(&begun.error(), 0);
  return begun;
}

// A value that is read or written in parts is audited when it is opened. How long its parts take depends on the client;
// a long time is not logged as slow.
Result<Permit> Engine::AdmitWatched(const PreparedStatement& statement, const RequestParameters& parameters) {
  StatementWatch watch(*state_->statements, statement.text, parameters);
  watch.Runs(statement.plan.get());
  Result<Permit> permit = state_->gate.Admit(*statement.plan, parameters);
  watch.EndWith(permit.ok() ? nullptr : &permit.error(), 0);
  return permit;
}

Status Engine::CheckPermission(const PreparedStatement& statement, const RequestParameters& parameters) {
  if (!planner_->StillValid(statement)) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, planner_->PlanAgain(statement));
    return CheckPermission(*again, parameters);
  }
  StatementWatch watch(*state_->statements, statement.text, parameters);
  watch.Runs(statement.plan.get());
  const Result<Permit> permit = state_->gate.Admit(*statement.plan, parameters);
  if (permit.ok()) return OkStatus();
  watch.EndWith(&permit.error(), 0);
  return permit.error();
}

Result<std::unique_ptr<BlobWrite>> Engine::WriteBlob(const PreparedPtr& statement,
                                                     const RequestParameters& parameters) {
  if (!planner_->StillValid(*statement)) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, planner_->PlanAgain(*statement));
    return WriteBlob(again, parameters);
  }
  if (!std::holds_alternative<ModifyPlan>(statement->plan->node)) {
    return InvalidError("A value is written in parts with an INSERT or UPDATE",
                        "UPDATE t SET v = ? WHERE k = ?, where v is a longblob");
  }
  WR_ASSIGN_OR_RETURN(const Permit permit, AdmitWatched(*statement, parameters));
  return BlobWrite::Open(*state_, *planner_, *writes_, permit, statement, parameters);
}

Result<std::unique_ptr<BlobRead>> Engine::OpenBlob(const PreparedStatement& statement,
                                                   const RequestParameters& parameters) {
  if (!planner_->StillValid(statement)) {
    WR_ASSIGN_OR_RETURN(const PreparedPtr again, planner_->PlanAgain(statement));
    return OpenBlob(*again, parameters);
  }
  if (!IsSelect(statement)) return InvalidError("A value is read in parts with a SELECT");
  WR_ASSIGN_OR_RETURN(const Permit permit, AdmitWatched(statement, parameters));
  AdmittedRequest request(permit, statement, parameters);
  return reads_->OpenBlob(request);
}

Result<advise::Findings> Engine::RunAdvice(const Permit& permit) {
  const auto& plan = std::get<AdvisePlan>(permit.plan().node);
  std::vector<RecordedStatement> load;
  for (StatementFacts& facts : state_->load.statements().List()) {
    load.push_back({.keyspace = std::move(facts.keyspace),
                    .text = std::move(facts.text),
                    .plan = std::move(facts.plan),
                    .calls = facts.executions,
                    .rows_examined = facts.rows_examined,
                    .rows_returned = facts.rows_returned,
                    .micros = facts.micros});
  }
  return widerow::Advise(*plan.statement, {.schema = schema(),
                                           .storage = *state_->storage,
                                           .language = state_->language,
                                           .current_keyspace = plan.current_keyspace,
                                           .load = std::move(load),
                                           .heat = &state_->load.heat()});
}

Result<advise::Findings> Engine::Advise(const AdviseStatement& statement, const std::string& current_keyspace,
                                        const RequestParameters& parameters) {
  const Plan plan{.node = AdvisePlan{.statement = std::make_shared<const AdviseStatement>(statement),
                                     .current_keyspace = current_keyspace}};
  StatementWatch watch(*state_->statements, "ADVISE", parameters);
  watch.Is(AuditCategory::kOther);
  const Result<Permit> permit = state_->gate.Admit(plan, parameters);
  Result<advise::Findings> findings = permit.ok() ? RunAdvice(*permit) : permit.error();
  if (watch.on()) watch.EndWith(findings.ok() ? nullptr : &findings.error(), 0);
  return findings;
}

Result<HeatMap*> Engine::Heat(const RequestParameters& parameters) {
  WR_ASSIGN_OR_RETURN(const PreparedPtr select, planner_->PlanText("SELECT * FROM system_views.heat", ""));
  WR_ASSIGN_OR_RETURN([[maybe_unused]] const Permit permit, AdmitWatched(*select, parameters));
  return &state_->load.heat();
}

namespace {
// Returns the id of the role that has logged in; nil if nobody has to log in.
Uuid RoleIdOf(const std::shared_ptr<const ConnectionFacts>& client) {
  return client != nullptr && client->user != nullptr ? client->user->role_id() : Uuid();
}
}  // namespace

Status Engine::AdmitBackup(const RequestParameters& parameters) {
  WR_ASSIGN_OR_RETURN(const PreparedPtr select, planner_->PlanText("SELECT * FROM system_views.backups", ""));
  return CheckPermission(*select, parameters);
}

Result<OpenBackupPtr> Engine::BeginBackup(const std::optional<BackupPlace>& since,
                                          const RequestParameters& parameters) {
  WR_RETURN_IF_ERROR(AdmitBackup(parameters));
  WR_ASSIGN_OR_RETURN(std::unique_ptr<BackupSource> source, state_->storage->BeginBackup(since));
  auto backup = std::make_shared<OpenBackup>(std::move(source), !since.has_value(), RoleIdOf(parameters.connection),
                                             clock().NowMicros());
  WR_RETURN_IF_ERROR(state_->backups.Add(backup));
  return backup;
}

Result<OpenBackupPtr> Engine::FindBackup(const Uuid& id, const RequestParameters& parameters) {
  WR_RETURN_IF_ERROR(AdmitBackup(parameters));
  OpenBackupPtr backup = state_->backups.Find(id);
  if (backup != nullptr && backup->owner() == RoleIdOf(parameters.connection)) return backup;
  return InvalidError("There is no backup " + id.ToString() + ", or it is closed",
                      "a backup is closed if its client asks for nothing for a minute; make it again");
}

Result<std::unique_ptr<BulkInsert>> Engine::OpenBulkInsert(const PreparedPtr& insert, const BulkLimits& limits,
                                                           const RequestParameters& parameters) {
  WR_ASSIGN_OR_RETURN(const Permit permit, state_->gate.Admit(*insert->plan, parameters));
  return BulkInsert::Open(*state_, permit, insert, limits);
}

std::unique_ptr<OptimisticTransaction> Engine::BeginTransaction(SnapshotPtr snapshot) {
  return std::make_unique<OptimisticTransaction>(*state_, *planner_, std::move(snapshot));
}

}  // namespace widerow
