#include "base/overloaded.h"
#include "planner/statement/plan_statements.h"
#include "planner/terms/prepare_attribute.h"
#include "planner/write/batch_rules.h"

namespace widerow {

Result<BatchPlan> PlanBatch(const BatchStatement& statement, SourceRange range, Planning& planning) {
  BatchPlan plan;
  plan.kind = statement.kind;
  // As in Cassandra, faults of the batch's own USING come after those of its statements.
  Result<std::optional<Expression>> timestamp = PrepareTimestamp(statement.using_clause, planning);
  for (size_t i = 0; i < statement.statements.size(); ++i) {
    const SourceRange at = i < statement.statement_ranges.size() ? statement.statement_ranges[i] : range;
    Result<ModifyPlan> part =
        std::visit(Overloaded{
                       [&](const InsertStatement& insert) { return PlanInsert(insert, at, planning); },
                       [&](const UpdateStatement& update) { return PlanUpdate(update, at, planning); },
                       [&](const DeleteStatement& remove) { return PlanDelete(remove, at, planning); },
                   },
                   statement.statements[i]);
    if (!part.ok()) return std::move(part).error();
    plan.statements.push_back(std::move(part).value());
  }
  WR_ASSIGN_OR_RETURN(plan.timestamp, std::move(timestamp));
  WR_RETURN_IF_ERROR(PrepareTtl(statement.using_clause, planning));
  if (statement.using_clause.ttl) {
    return InvalidAt(statement.using_clause.ttl->range, "Global TTL on the BATCH statement is not supported.",
                     "set it on the statements inside");
  }
  BatchRules rules{.kind = plan.kind, .statements = {}, .timestamp = {}};
  if (plan.timestamp) rules.timestamp = plan.timestamp->range;
  for (const ModifyPlan& part : plan.statements) rules.statements.push_back(&part);
  WR_RETURN_IF_ERROR(CheckBatch(rules));
  return plan;
}

}  // namespace widerow
