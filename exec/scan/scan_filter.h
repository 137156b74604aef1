// The current row of a scan, and the plan's filter over it. One thread; one object serves all rows of a scan.
#pragma once

#include <span>

#include "exec/rows/scanned_row.h"
#include "exec/scan/scan_options.h"

namespace widerow {

class ScanFilter {
 public:
  // Borrows the plan.
  ScanFilter(const SelectPlan& plan, const ScanOptions& options);
  ScanFilter(const ScanFilter&) = delete;
  ScanFilter& operator=(const ScanFilter&) = delete;

  ScannedRow& row() { return row_; }
  // Returns the request's context, whose row is row().
  const EvaluationContext& context() const { return context_; }

  // Fails with Cassandra's error for the null and unset values that Cassandra refuses in conditions and as indexes of
  // selected elements, and for patterns that LIKE refuses.
  Status CheckValues() const;
  // True if there are no conditions: every row passes.
  bool empty() const { return predicates_.empty(); }
  // True if the row passes. Measures the time if the meter asks for it.
  Result<bool> Accept() { return meter_ == nullptr || !meter_->times_filter ? Passes() : PassesTimed(); }
  // True if the row passes. Does not use the meter.
  Result<bool> Passes() const;

 private:
  Result<bool> PassesTimed();

  const std::span<const Predicate> predicates_;
  const std::span<const uint32_t> checked_;
  const std::span<const Expression> parts_;
  ScanMeter* const meter_;
  EvaluationContext context_;
  const RowLayout layout_;
  ScannedRow row_;
};

}  // namespace widerow
