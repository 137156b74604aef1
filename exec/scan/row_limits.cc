#include "exec/scan/row_limits.h"

#include <algorithm>

#include "exec/bind/bind.h"
#include "exec/nearest/bind_nearest.h"

namespace widerow {

bool ShowsScannedRows(const SelectPlan& plan) {
  return !plan.aggregated && !plan.sorts_partitions() && !plan.relevance;
}

// With DISTINCT, each row of the scan stands for a partition. PER PARTITION LIMIT then counts these rows, even if they
// form groups.
bool CountsGroups(const SelectPlan& plan) { return plan.group_by && !plan.distinct; }

Result<RowLimits> BindRowLimits(const SelectPlan& plan, const EvaluationContext& context) {
  WR_RETURN_IF_ERROR(CheckTopKLimits(plan, context));
  WR_ASSIGN_OR_RETURN(const auto limit, BindLimit(plan.limit, context));
  WR_ASSIGN_OR_RETURN(const auto partition_limit, BindLimit(plan.per_partition_limit, context));
  RowLimits limits;
  if (ShowsScannedRows(plan)) limits.rows_left = RowsOfLimit(limit.value_or(UINT32_MAX));
  limits.rows_left_at_first = limits.rows_left;
  if (plan.distinct) {
    limits.partition_rows = 1;
  } else if (!plan.group_by) {
    limits.partition_rows = RowsOfLimit(partition_limit.value_or(UINT32_MAX));
  }
  return limits;
}

void ContinueFrom(const PagingState& from, const SelectPlan& plan, RowLimits& limits) {
  if (!ShowsScannedRows(plan)) return;
  limits.rows_left = std::min(limits.rows_left, RowsOfLimit(from.rows_left));
  limits.rows_left_at_first = limits.rows_left;
}

}  // namespace widerow
