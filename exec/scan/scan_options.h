// The facts about a request that a scan (RowScan, MergeScan) needs besides the plan.
#pragma once

#include "exec/meter/scan_meter.h"
#include "exec/session/read_watch.h"
#include "planner/evaluate/evaluate.h"

namespace widerow {

struct ScanOptions {
  EvaluationContext context;  // The scan sets `context.row` to the row that it reads.
  int64_t now_seconds = 0;
  ReadWatch watch;
  ScanMeter* meter = nullptr;  // Borrowed; may be null.
  // The greatest number of rows in the page. If the view must be given up, a page with rows ends early, and a page
  // without rows continues with another view. 0: the rows form no page, and giving up the view is an error.
  uint32_t page_rows = 0;
};

}  // namespace widerow
