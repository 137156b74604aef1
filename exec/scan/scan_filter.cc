#include "exec/scan/scan_filter.h"

#include "exec/derived/index_cursor.h"

namespace widerow {

ScanFilter::ScanFilter(const SelectPlan& plan, const ScanOptions& options)
    : predicates_(plan.filter),
      checked_(plan.checked),
      parts_(plan.selected_parts),
      meter_(options.meter),
      context_(options.context),
      layout_(plan),
      row_(layout_, options.now_seconds) {
  context_.row = &row_;
}

Status ScanFilter::CheckValues() const {
  // As in Cassandra, the patterns of LIKE are checked before all other values.
  for (const Predicate& predicate : predicates_) {
    const auto* const comparison = std::get_if<Comparison>(&predicate.node);
    if (comparison == nullptr || comparison->op != CompareOp::kLike) continue;
    WR_RETURN_IF_ERROR(CheckLike(layout_.table(), *comparison, context_));
  }
  for (const Expression& part : parts_) WR_RETURN_IF_ERROR(CheckSelectedPart(part, context_));
  for (const uint32_t i : checked_) {
    WR_RETURN_IF_ERROR(CheckFilterValues(predicates_[i], layout_.table(), context_));
  }
  return OkStatus();
}

Result<bool> ScanFilter::Passes() const {
  for (const Predicate& predicate : predicates_) {
    WR_ASSIGN_OR_RETURN(const bool matches, Matches(predicate, context_));
    if (!matches) return false;
  }
  return true;
}

Result<bool> ScanFilter::PassesTimed() {
  const auto begin = std::chrono::steady_clock::now();
  Result<bool> passes = Passes();
  const auto spent = std::chrono::steady_clock::now() - begin;
  meter_->filter_nanos += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count());
  return passes;
}

}  // namespace widerow
