// The fast path of the most common SELECT: one row by its whole key, only single-cell regular columns. It gives the
// same answer as RowScan without the steps that only longer reads need. The choice is made once, when the statement is
// planned.
#pragma once

#include <functional>

#include "exec/access/permit.h"
#include "exec/meter/scan_meter.h"
#include "exec/rows/projection.h"
#include "exec/rows/scanned_row.h"
#include "planner/plan.h"
#include "storage/storage_engine.h"

namespace widerow {

class RowViewer;

class PointRead {  // Immutable; any thread.
 public:
  // Returns null if the statement does not qualify. Borrows the plan. `projection` is the plan's, and may be null.
  static std::shared_ptr<const PointRead> Of(const Plan& plan, std::shared_ptr<const Projection> projection);

  // True if a function among the key's values needs the context's time.
  bool needs_time() const { return needs_time_; }
  // Appends the row to `rows` if it exists and is live. The permit is for the plan of this read. False: the row is too
  // large for one page; discard `rows` and use RowScan. Errors are those of RowScan, in the same order. `meter` may be
  // null.
  Result<bool> Run(const Permit& permit, const EvaluationContext& context, int64_t now_seconds, StorageEngine& storage,
                   ScanMeter* meter, RowsWriter& rows) const;

  // Shows the row to `viewer` if it exists and is live, whatever its size. Returns the number of shown rows.
  Result<uint64_t> Show(const Permit& permit, const EvaluationContext& context, int64_t now_seconds,
                        StorageEngine& storage, ScanMeter* meter, RowViewer& viewer) const;

  // Calls `use` with the live cell of the only output column and the partition key of its row, if there is such a cell.
  // The value of the cell may be a LargeReference.
  using UseCell = std::function<Status(const CellView& cell, ByteView partition_key)>;
  Status ReadCell(const Permit& permit, const EvaluationContext& context, int64_t now_seconds, StorageEngine& storage,
                  ScanMeter* meter, const UseCell& use) const;
  const TableSchema& table() const { return *plan_.table; }
  const std::vector<uint32_t>& columns() const { return columns_; }

  PointRead(const SelectPlan& plan, std::shared_ptr<const Projection> projection);

 private:
  // Calls `use` with the stored row and the partition's key, if anything is stored.
  template <typename Use>  // Status(const RowView& row, ByteView key)
  Status Find(const EvaluationContext& context, StorageEngine& storage, ScanMeter* meter, const Use& use) const;
  static bool IsLiveUniform(const RowView& row, int64_t now_seconds) {
    return row.uniform && row.times.LiveAt(now_seconds) && row.marker.LiveAt(now_seconds);
  }

  const SelectPlan& plan_;
  const PointLookup& path_;
  const RowLayout layout_;
  std::vector<uint32_t> columns_;  // The outputs' columns, as indexes into the table's.
  const std::shared_ptr<const Projection> projection_;
  bool needs_time_ = false;
};

}  // namespace widerow
