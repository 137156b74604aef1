// LIMIT and PER PARTITION LIMIT, as scans count them. Used by one thread.
#pragma once

#include "exec/rows/paging.h"
#include "planner/evaluate/evaluate.h"
#include "planner/plan.h"

namespace widerow {

struct RowLimits {
  uint64_t rows_left = kAllRows;           // Rows that the scan may still show.
  uint64_t rows_left_at_first = kAllRows;  // The value of rows_left when the page began.
  uint64_t partition_rows = kAllRows;      // The greatest number of rows to show of one partition.

  // True if the page has shown a row.
  bool any_shown() const { return rows_left != rows_left_at_first; }
};

// True if the answer is the rows of the scan, in the scan's order. False if they are grouped or sorted first. LIMIT
// then counts the rows of the answer, not those of the scan.
bool ShowsScannedRows(const SelectPlan& plan);
// True if PER PARTITION LIMIT counts groups, not the rows of the scan.
bool CountsGroups(const SelectPlan& plan);

// Binds the limits of a statement. Errors: those of BindLimit and CheckTopKLimits.
Result<RowLimits> BindRowLimits(const SelectPlan& plan, const EvaluationContext& context);
// Changes the limits for a page that begins at `from`. If the request's LIMIT differs from that of the earlier page,
// the smaller one applies.
void ContinueFrom(const PagingState& from, const SelectPlan& plan, RowLimits& limits);

}  // namespace widerow
