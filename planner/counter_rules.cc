#include "planner/counter_rules.h"

#include <algorithm>

namespace widerow {

bool IsCounterTable(const TableSchema& table) {
  const auto counts = [](const auto& column) { return column.type->kind == TypeKind::kCounter; };
  const bool only_keys = table.columns.size() == table.partition_key_size + table.clustering_size;
  if (!only_keys) return counts(table.columns.back());
  return std::any_of(table.dropped_columns.begin(), table.dropped_columns.end(), counts);
}

Status CheckCounterStatement(const ModifyPlan& plan) {
  if (!IsCounterTable(*plan.table)) return OkStatus();
  if (plan.condition != RowCondition::kNone) {
    return InvalidError("Conditional updates are not supported on counter tables",
                        "increments are atomic and exact as they are; " + plan.table->name + " is such a table");
  }
  if (plan.timestamp) {
    return InvalidAt(plan.timestamp->range, "Cannot provide custom timestamp for counter updates",
                     "the server orders what is done to counters");
  }
  if (plan.ttl) {
    return InvalidAt(plan.ttl->range, "Cannot provide custom TTL for counter updates",
                     "counters do not expire: DELETE what is not wanted any more");
  }
  return OkStatus();
}

}  // namespace widerow
