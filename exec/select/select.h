// SELECT: turns the rows of a scan into a page of columns, expressions or aggregates.
#pragma once

#include "exec/access/permit.h"
#include "exec/rows/outcome.h"
#include "exec/scan/scan_options.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

class Projection;

struct SelectRequest {
  EvaluationContext context;
  ResultColumnsPtr columns;
  const Projection* projection = nullptr;  // The plan's; null if it has none.
  int64_t now_seconds = 0;
  ScanMeter* meter = nullptr;  // Measures the scan; may be null.
  bool index_rows = false;
  bool one_view = false;         // True if `open_view` can open only one view at a time.
  ReadLimits limits = {};        // Only ran_long is used if `snapshot` is set.
  Snapshot* snapshot = nullptr;  // The snapshot to read; null: the present.
  AnswerLimits answer = {};
  uint32_t page_rows = 0;  // 0: all.
  ByteView paging_state;

  // Returns the options of a scan that is not divided into pages.
  ScanOptions OfWholeScan() const {
    return {.context = context, .now_seconds = now_seconds, .watch = {limits, snapshot}, .meter = meter};
  }
};

// Runs the permit's SELECT and returns one page. Borrows the arguments until it returns.
Result<RowsPage> RunSelect(const Permit& permit, const SelectRequest& request, StorageEngine& storage,
                           const ViewOpener& open_view);

// Returns the result columns of the plan.
ResultColumnsPtr ResultColumnsOf(const SelectPlan& plan);

}  // namespace widerow
