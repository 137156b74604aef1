// SELECT with GROUP BY. The rows of a scan arrive group by group, so only one group is in memory. LIMIT, PER PARTITION
// LIMIT and page sizes count groups; a page ends between two groups.
#pragma once

#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"
#include "exec/select/select.h"

namespace widerow {

// Returns one page of groups. `scan` is open. Errors: those of the scan.
Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, RowScan& scan);
Result<RowsPage> RunGroups(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan);

}  // namespace widerow
