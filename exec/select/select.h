// SELECT: rows of a scan into a page, as columns, expressions or aggregates.
#pragma once

#include <functional>

#include "exec/rows/outcome.h"
#include "exec/session/read_watch.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class Projection;

struct SelectRequest {
  EvaluationContext context;
  ResultColumnsPtr columns;
  const Projection* projection = nullptr;  // Of the plan; null if it has none.
  int64_t now_seconds = 0;
  class ScanMeter* meter = nullptr;  // Looks over the scan's shoulder; may be null.
  bool index_rows = false;
  bool one_view = false;   // The opener gives one view at a time.
  ReadLimits limits = {};  // Of views of the present.
  Snapshot* snapshot = nullptr;  // What is read; null: the present.
  uint32_t page_rows = 0;  // 0: all.
  ByteView paging_state;
  std::function<uint64_t()> fingerprint;  // Of statement and values; binds paging states. Asked only if there are any.

  ReadWatch watch() const { return {limits, snapshot}; }
};

Result<RowsPage> RunSelect(const SelectPlan& plan, const SelectRequest& request, StorageEngine& storage,
                           const ViewOpener& open_view);

// The columns of the plan's rows.
ResultColumnsPtr ResultColumnsOf(const SelectPlan& plan);

}  // namespace widerow
