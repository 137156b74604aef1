#include "exec/engine/statement_planner.h"

#include <algorithm>

#include "exec/advise/advisor.h"
#include "exec/describe/describe.h"
#include "exec/prepared/prepared_description.h"
#include "exec/select/select.h"
#include "parser/parse.h"

namespace widerow {
namespace {

constexpr size_t kPreparedStatementsMax = 10'000, kPreparedBytesMax = 128u << 20;

ResultColumnsPtr ColumnsOf(const Plan& plan) {
  if (const auto* select = std::get_if<SelectPlan>(&plan.node)) return ResultColumnsOf(*select);
  if (const auto* describe = std::get_if<DescribePlan>(&plan.node)) return DescribeColumns(describe->statement);
  if (std::holds_alternative<ExplainPlan>(plan.node)) return ExplainColumns();
  if (std::holds_alternative<AdvisePlan>(plan.node)) return AdviceColumns();
  return nullptr;
}

}  // namespace

StatementPlanner::StatementPlanner(EngineState& state)
    : state_(state), cache_(kPreparedStatementsMax, kPreparedBytesMax) {}

Result<Statement> StatementPlanner::Parse(std::string_view text) const {
  return widerow::Parse(text, state_.language.dialect);
}

Result<PreparedPtr> StatementPlanner::PlanText(std::string_view text, std::string_view keyspace) const {
  return PlanFor(text, keyspace, state_.Schema());
}

Result<PreparedPtr> StatementPlanner::PlanFor(std::string_view text, std::string_view keyspace,
                                              SchemaPtr schema) const {
  WR_ASSIGN_OR_RETURN(const Statement statement, Parse(text));
  WR_ASSIGN_OR_RETURN(
      Plan plan,
      PlanStatement(statement, *schema, {.current_keyspace = std::string(keyspace), .language = state_.language}));
  auto prepared = std::make_shared<PreparedStatement>();
  prepared->text = text;
  prepared->keyspace = keyspace;
  prepared->fully_qualified = IsFullyQualified(statement);
  prepared->columns = ColumnsOf(plan);
  prepared->SetPlan(std::move(plan));
  prepared->schema = std::move(schema);
  prepared->record = state_.load.statements().RecordOf(text, prepared->plan);
  return PreparedPtr(std::move(prepared));
}

Result<PreparedPtr> StatementPlanner::PlanShape(std::string_view text, std::string_view keyspace) {
  WR_ASSIGN_OR_RETURN(PreparedPtr planned, PlanText(text, keyspace));
  shapes_.Insert(planned);
  return planned;
}

ShapeCache::Found StatementPlanner::FindShape(std::string_view text, std::string_view keyspace) {
  ShapeCache::Found found = shapes_.Find(text, keyspace);
  if (found.statement != nullptr && !StillValid(*found.statement)) found.statement = nullptr;
  return found;
}

std::optional<BatchEntry> StatementPlanner::FindShaped(std::string_view text, std::vector<BoundValue> values,
                                                       std::string_view keyspace) {
  ShapeCache::Found found = FindShape(text, keyspace);
  if (found.statement == nullptr || (found.is_template && !values.empty())) return std::nullopt;
  return BatchEntry{.statement = std::move(found.statement),
                    .values = found.is_template ? std::move(found.constants) : std::move(values),
                    .names = {}};
}

bool StatementPlanner::StillValid(const PreparedStatement& statement) const {
  const uint64_t version = state_.schema.version();
  if (statement.checked.get() == version) return true;
  const SchemaPtr now = state_.Schema();
  if (now != statement.schema && !IsPlannedFor(statement, *now)) return false;
  statement.checked.Set(version);
  return true;
}

bool StatementPlanner::IsPlannedFor(const PreparedStatement& statement, const SchemaSnapshot& schema) {
  // A statement without tables (DESCRIBE, DDL) is always planned again: that is cheap and always right.
  const std::vector<TablePtr>& tables = statement.plan->tables;
  return !tables.empty() && std::all_of(tables.begin(), tables.end(), [&](const TablePtr& table) {
    return schema.FindTable(table->keyspace, table->name) == table;
  });
}

Result<PreparedPtr> StatementPlanner::Prepare(std::string_view text, std::string_view keyspace) {
  PreparedPtr kept = cache_.Find(text, keyspace);
  if (kept != nullptr && StillValid(*kept)) return kept;
  WR_ASSIGN_OR_RETURN(const PreparedPtr planned, PlanText(text, keyspace));
  auto prepared = std::make_shared<PreparedStatement>(*planned);
  if (prepared->fully_qualified) prepared->keyspace.clear();
  prepared->id = StatementId(text, prepared->keyspace);
  prepared->columns_id = ColumnsId(prepared->columns ? *prepared->columns : ResultColumns());
  prepared->markers_id = MarkersId(*prepared->plan);
  return cache_.Insert(std::move(prepared));
}

PreparedPtr StatementPlanner::Find(ByteView id) const {
  PreparedPtr found = cache_.FindId(id);
  if (found == nullptr || StillValid(*found)) [[likely]]
    return found;
  // The statement stays in the cache, so that the next PREPARE sees which columns and markers clients know.
  return MustBePreparedAgain(*found->plan, *state_.Schema()) ? nullptr : found;
}

Result<PreparedPtr> StatementPlanner::PlanAgain(const PreparedStatement& statement) {
  WR_ASSIGN_OR_RETURN(PreparedPtr again, Prepare(statement.text, statement.keyspace));
  if (!TakesSameValues(*again->plan, *statement.plan)) return MarkersHaveChanged();
  return again;
}

Result<PreparedPtr> StatementPlanner::Renewed(const PreparedPtr& statement) {
  if (StillValid(*statement)) [[likely]]
    return statement;
  return statement->id.empty() ? Prepare(statement->text, statement->keyspace) : PlanAgain(*statement);
}

Result<PreparedPtr> StatementPlanner::PrepareOn(const Snapshot& snapshot, std::string_view text,
                                                std::string_view keyspace) {
  if (state_.Schema() == snapshot.schema()) return Prepare(text, keyspace);
  return PlanFor(text, keyspace, snapshot.schema());
}

Result<PreparedPtr> StatementPlanner::PlanAgainOn(const Snapshot& snapshot, const PreparedStatement& statement) {
  WR_ASSIGN_OR_RETURN(PreparedPtr again, PrepareOn(snapshot, statement.text, statement.keyspace));
  if (!TakesSameValues(*again->plan, *statement.plan)) return MarkersHaveChanged();
  return again;
}

}  // namespace widerow
