// SELECT with aggregates: every row goes in, one comes out. Whole tables are read by several threads, each a part of the tokens, all
// of them the same moment.
#pragma once

#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"
#include "exec/select/select.h"

namespace widerow {

// `scan` has been opened.
Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, RowScan& scan, StorageEngine& storage,
                              const ViewOpener& open_view);

// The same of merged partitions, on this thread.
Result<RowsPage> RunAggregate(const SelectPlan& plan, const SelectRequest& request, MergeScan& scan);

}  // namespace widerow
