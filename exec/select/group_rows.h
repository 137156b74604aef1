// SELECT with GROUP BY: rows of a scan come group by group, so one group is held at a time. LIMIT, PER PARTITION LIMIT and pages count
// groups; a page ends between two of them.
#pragma once

#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"
#include "exec/select/select.h"

namespace widerow {

// `scan` has been opened, at `from` if that is a place.
Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, RowScan& scan, const std::optional<PagingState>& from);
Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan, const std::optional<PagingState>& from);

}  // namespace widerow
