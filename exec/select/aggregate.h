// SELECT with aggregates and without GROUP BY: all rows of a scan become one row. Several threads read a large table,
// each a part of its tokens; all parts show the same moment.
#pragma once

#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"
#include "exec/select/select.h"

namespace widerow {

// Runs the plan on `scan`, which is open. Opens further scans with `storage` and `open_view` for the other threads.
// Errors: those of the scan.
Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, RowScan& scan,
                              StorageEngine& storage, const ViewOpener& open_view);

// Runs the plan on merged partitions, on the calling thread.
Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan);

}  // namespace widerow
