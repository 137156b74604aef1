// Engine's prepared statements: planned, kept under their ids, and planned again when the schema has changed under
// them.
#include <algorithm>

#include "exec/access/access_control.h"
#include "exec/advise/advisor.h"
#include "exec/describe/describe.h"
#include "exec/engine/engine_internal.h"
#include "exec/load/load_recorder.h"
#include "exec/prepared/prepared_cache.h"
#include "exec/prepared/prepared_description.h"
#include "exec/prepared/shape_cache.h"
#include "exec/rows/projection.h"
#include "exec/select/point_read.h"
#include "exec/select/select.h"
#include "parser/parse.h"

namespace widerow {
namespace {

ResultColumnsPtr ColumnsOf(const Plan& plan) {
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) return ResultColumnsOf(*select);
  if (const auto* describe = std::get_if<DescribePlan>(&plan.node)) return DescribeColumns(describe->statement);
  if (std::holds_alternative<ExplainPlan>(plan.node)) return ExplainColumns();
  if (std::holds_alternative<AdvisePlan>(plan.node)) return AdviceColumns();
  return nullptr;
}

}  // namespace

Result<PreparedPtr> Engine::PlanText(std::string_view text, std::string_view keyspace) const {
  return PlanFor(text, keyspace, schema());
}

Result<PreparedPtr> Engine::PlanFor(std::string_view text, std::string_view keyspace, SchemaPtr planned_for) const {
  WR_ASSIGN_OR_RETURN(const Statement statement, Parse(text, language_.dialect));
  WR_ASSIGN_OR_RETURN(Plan plan, PlanStatement(statement, *planned_for,
                                               {.current_keyspace = std::string(keyspace), .language = language_}));
  auto prepared = std::make_shared<PreparedStatement>();
  prepared->text = text;
  prepared->keyspace = keyspace;
  prepared->fully_qualified = IsFullyQualified(statement);
  prepared->columns = ColumnsOf(plan);
  prepared->SetPlan(std::move(plan));
  prepared->schema = std::move(planned_for);
  prepared->record = load_->statements().RecordOf(text, prepared->plan);
  return PreparedPtr(std::move(prepared));
}

Result<PreparedPtr> Engine::PlanEntry(std::string_view text, std::string_view keyspace) {
  WR_ASSIGN_OR_RETURN(PreparedPtr planned, PlanText(text, keyspace));
  shapes_->Insert(planned);
  return planned;
}

// A plan lives through schema changes that do not touch its tables.
bool Engine::StillValid(const PreparedStatement& statement) const {
  const uint64_t version = schema_.version();
  if (statement.checked.get() == version) return true;
  const SchemaPtr now = schema();
  if (now != statement.schema && !IsPlannedFor(statement, *now)) return false;
  statement.checked.Set(version);
  return true;
}

bool Engine::IsPlannedFor(const PreparedStatement& statement, const SchemaSnapshot& schema) {
  // Without tables there is nothing to tell by (DESCRIBE, DDL): planning again is cheap and always right.
  const std::vector<TablePtr>& tables = statement.plan->tables;
  return !tables.empty() && std::all_of(tables.begin(), tables.end(), [&](const TablePtr& table) {
    return schema.FindTable(table->keyspace, table->name) == table;
  });
}

Result<PreparedPtr> Engine::Prepare(std::string_view text, std::string_view keyspace) {
  PreparedPtr kept = cache_->Find(text, keyspace);
  if (kept != nullptr && StillValid(*kept)) return kept;
  WR_ASSIGN_OR_RETURN(const PreparedPtr planned, PlanText(text, keyspace));
  auto prepared = std::make_shared<PreparedStatement>(*planned);
  if (prepared->fully_qualified) prepared->keyspace.clear();
  prepared->id = StatementId(text, prepared->keyspace);
  prepared->columns_id = ColumnsId(prepared->columns ? *prepared->columns : ResultColumns());
  prepared->markers_id = MarkersId(*prepared->plan);
  return cache_->Insert(std::move(prepared));
}

Result<TracedStatement> Engine::Prepare(std::string_view text, const RequestParameters& parameters) {
  if (access_ != nullptr) WR_RETURN_IF_ERROR(access_->ActorOf(parameters));
  RequestTrace trace(traces_, parameters, "Preparing CQL3 query", text, storage_->clock().NowMicros());
  const Result<PreparedPtr> statement = Prepare(text, parameters.keyspace);
  if (!statement.ok()) {
    trace.Fail(statement.error());
    return statement.error();
  }
  // A plan shows what EXPLAIN does, to those who may run the statement.
  if (trace.on() && Authorize(*(*statement)->plan, parameters).ok()) {
    for (std::string& line : Explain(*(*statement)->plan)) trace.Event(std::move(line));
  }
  return TracedStatement{.statement = *statement, .trace_id = trace.Complete()};
}

PreparedPtr Engine::FindPrepared(ByteView id) const {
  PreparedPtr found = cache_->FindId(id);
  if (found == nullptr || StillValid(*found)) [[likely]]
    return found;
  // It stays in the cache, so that the next PREPARE sees what clients may know of it.
  return MustBePreparedAgain(*found->plan, *schema()) ? nullptr : found;
}

Result<PreparedPtr> Engine::PlanAgain(const PreparedStatement& statement) {
  WR_ASSIGN_OR_RETURN(PreparedPtr again, Prepare(statement.text, statement.keyspace));
  if (!TakesSameValues(*again->plan, *statement.plan)) return MarkersHaveChanged();
  return again;
}

Result<PreparedPtr> Engine::PrepareOn(const Snapshot& snapshot, std::string_view text, std::string_view keyspace) {
  if (schema() == snapshot.schema()) return Prepare(text, keyspace);
  return PlanFor(text, keyspace, snapshot.schema());
}

Result<PreparedPtr> Engine::PlanAgainOn(const Snapshot& snapshot, const PreparedStatement& statement) {
  WR_ASSIGN_OR_RETURN(PreparedPtr again, PrepareOn(snapshot, statement.text, statement.keyspace));
  if (!TakesSameValues(*again->plan, *statement.plan)) return MarkersHaveChanged();
  return again;
}

}  // namespace widerow
