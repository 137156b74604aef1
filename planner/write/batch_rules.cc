#include "planner/write/batch_rules.h"

#include <algorithm>

#include "planner/counter_rules.h"

namespace widerow {
namespace {

bool IsConditional(const ModifyPlan* plan) { return plan->condition != RowCondition::kNone; }
bool Counts(const ModifyPlan* plan) { return IsCounterTable(*plan->table); }

SourceRange PlaceOf(const ModifyPlan& plan) { return plan.partition_key[0].values[0].range; }

Status CheckTimestamps(const BatchRules& batch, bool conditional, bool counters) {
  if (!batch.timestamp) return OkStatus();
  const SourceRange at = *batch.timestamp;
  if (conditional) return InvalidAt(at, "Cannot provide custom timestamp for conditional BATCH");
  if (batch.kind == BatchStatement::Kind::kCounter) {
    return InvalidAt(at, "Cannot provide custom timestamp for counter BATCH");
  }
  for (const ModifyPlan* plan : batch.statements) {
    if (!plan->timestamp) continue;
    return InvalidAt(plan->timestamp->range, "Timestamp must be set either on BATCH or individual statements");
  }
  if (counters) return InvalidAt(at, "Cannot provide custom timestamp for a BATCH containing counters");
  return OkStatus();
}

Status CheckCounters(const BatchRules& batch, bool counters) {
  const auto other = std::find_if_not(batch.statements.begin(), batch.statements.end(), Counts);
  const bool others = other != batch.statements.end();
  if (batch.kind == BatchStatement::Kind::kCounter && others) {
    return InvalidAt(PlaceOf(**other), "Cannot include non-counter statement in a counter batch",
                     (*other)->table->name + " has no counters: leave the word COUNTER out");
  }
  if (counters && others) {
    return InvalidAt(PlaceOf(**other), "Counter and non-counter mutations cannot exist in the same batch",
                     "send two batches");
  }
  if (counters && batch.kind == BatchStatement::Kind::kLogged) {
    return InvalidAt(PlaceOf(*batch.statements[0]), "Cannot include a counter statement in a logged batch",
                     "BEGIN COUNTER BATCH or BEGIN UNLOGGED BATCH: all of it is applied or nothing, as of any batch");
  }
  return OkStatus();
}

Status CheckOneTable(const BatchRules& batch) {
  const TableSchema& first = *batch.statements[0]->table;
  for (const ModifyPlan* plan : batch.statements) {
    if (plan->table == batch.statements[0]->table) continue;
    return InvalidError("Batch with conditions cannot span multiple tables",
                        first.name + " and " + plan->table->name + ": send two batches");
  }
  return OkStatus();
}

}  // namespace

Status CheckBatch(const BatchRules& batch) {
  const bool conditional = std::any_of(batch.statements.begin(), batch.statements.end(), IsConditional);
  const bool counters = std::any_of(batch.statements.begin(), batch.statements.end(), Counts);
  WR_RETURN_IF_ERROR(CheckTimestamps(batch, conditional, counters));
  WR_RETURN_IF_ERROR(CheckCounters(batch, counters));
  return conditional ? CheckOneTable(batch) : OkStatus();
}

}  // namespace widerow
