// The short way of the commonest SELECT: one row by its whole key, regular columns of one cell. What RowScan would do, without
// what only longer reads need. Whether a statement goes this way is decided once, when it is planned.
#pragma once

#include "exec/rows/projection.h"
#include "exec/meter/scan_meter.h"
#include "exec/rows/scanned_row.h"
#include "planner/plan.h"
#include "storage/engine.h"

namespace widerow {

class RowViewer;

class PointRead {  // Immutable.
 public:
  // Null: the statement is of another kind. Borrows the plan; `projection` is its own, and may be null.
  static std::shared_ptr<const PointRead> Of(const Plan& plan, std::shared_ptr<const Projection> projection);

  // Whether the context's time is asked for: by a function among the values of the key.
  bool needs_time() const { return needs_time_; }
  // Appends the row, if it is there and live, to `rows`. False: it is too large for one page, `rows` is not to be used, and the
  // long way gives the answer. Errors are those that the long way gives, in its order. `meter` may be null.
  Result<bool> Run(const EvaluationContext& context, int64_t now_seconds, StorageEngine& storage, ScanMeter* meter,
                   RowsWriter& rows) const;

  // Shows the row instead, if it is there and live, however large it is.
  Status Show(const EvaluationContext& context, int64_t now_seconds, StorageEngine& storage, ScanMeter* meter,
              RowViewer& viewer) const;

  PointRead(const SelectPlan& plan, std::shared_ptr<const Projection> projection);

 private:
  // Calls `use` with the row as storage has it and the partition's key, if anything is stored there.
  template <typename Use>  // Status(const RowView& row, ByteView key)
  Status Find(const EvaluationContext& context, StorageEngine& storage, ScanMeter* meter, const Use& use) const;
  static bool IsLiveUniform(const RowView& row, int64_t now_seconds) {
    return row.uniform && row.times.LiveAt(now_seconds) && row.marker.LiveAt(now_seconds);
  }

  const SelectPlan& plan_;
  const PointLookup& path_;
  const RowLayout layout_;
  std::vector<uint32_t> columns_;  // Of the outputs, in the table.
  const std::shared_ptr<const Projection> projection_;
  bool needs_time_ = false;
};

}  // namespace widerow
