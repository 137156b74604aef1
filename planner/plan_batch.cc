#include "base/overloaded.h"
#include "planner/plan_statements.h"
#include "planner/prepare_attribute.h"
#include "planner/row_condition.h"

namespace widerow {

Result<BatchPlan> PlanBatch(const BatchStatement& statement, SourceRange range, Planning& planning) {
  if (statement.using_clause.ttl) {
    return InvalidAt(statement.using_clause.ttl->range, "Global TTL on the BATCH statement is not supported.",
                     "set it on the statements inside");
  }
  BatchPlan plan;
  plan.kind = statement.kind;
  WR_ASSIGN_OR_RETURN(plan.timestamp, PrepareTimestamp(statement.using_clause, planning));
  if (plan.timestamp && plan.kind == BatchStatement::Kind::kCounter) {
    return InvalidAt(plan.timestamp->range, "Cannot provide custom timestamp for counter BATCH");
  }
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
    if (plan.kind == BatchStatement::Kind::kCounter) {
      return InvalidAt(at, "Cannot include non-counter statement in a counter batch");
    }
    plan.statements.push_back(std::move(part).value());
  }
  if (plan.timestamp && plan.conditional()) {
    return InvalidAt(plan.timestamp->range, "Cannot provide custom timestamp for conditional BATCH");
  }
  std::vector<const ModifyPlan*> statements;
  for (size_t i = 0; i < plan.statements.size(); ++i) {
    if (plan.timestamp && plan.statements[i].timestamp) {
      return InvalidAt(i < statement.statement_ranges.size() ? statement.statement_ranges[i] : range,
                       "Timestamp must be set either on BATCH or individual statements");
    }
    statements.push_back(&plan.statements[i]);
  }
  WR_RETURN_IF_ERROR(CheckConditionalBatch(statements));
  return plan;
}

}  // namespace widerow
