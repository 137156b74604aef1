#include "exec/select/show_rows.h"

#include <optional>

#include "exec/rows/projection.h"
#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"

namespace widerow {
namespace {

// Copies the values of outputs that the Projection cannot read, so that all are valid at once.
class CopiedOutputs {
 public:
  CopiedOutputs(const SelectPlan& plan, const EvaluationContext& context)
      : plan_(plan), context_(context), kept_(plan.output.size()), values_(plan.output.size()) {}

  Status Read(ScannedRow& row) {
    context_.row = &row;
    for (size_t i = 0; i < values_.size(); ++i) {
      const Expression& expression = plan_.output[i].expression;
      if (const auto* column = std::get_if<ColumnExpression>(&expression.node)) {
        WR_ASSIGN_OR_RETURN(const ValueView value, row.Column(column->column));
        Keep(i, value);
      } else {
        WR_ASSIGN_OR_RETURN(const Value value, Evaluate(expression, context_));
        Keep(i, value ? ValueView(*value) : ValueView());
      }
    }
    return OkStatus();
  }
  std::span<const ByteView> values() const { return values_; }

 private:
  void Keep(size_t output, ValueView value) {
    if (value) kept_[output].assign(*value);
    values_[output] = value ? ByteView(kept_[output]) : ByteView();
  }

  const SelectPlan& plan_;
  EvaluationContext context_;
  std::vector<Bytes> kept_;
  std::vector<ByteView> values_;
};

// True if rows are shown in the order in which the scan meets them.
bool InScanOrder(const SelectPlan& plan) { return !plan.aggregated && !plan.merge_partitions && !plan.relevance; }

template <typename Scan>  // RowScan, MergeScan
Result<uint64_t> ShowScanned(const SelectPlan& plan, const SelectRequest& request, Scan& scan, RowViewer& viewer) {
  const Projection* const projection = request.projection;
  const RowViewer::Mode mode = viewer.mode();
  std::optional<CopiedOutputs> copied;  // Made for the first row that needs it.
  Projection::Values values;
  uint64_t shown = 0;
  const auto show = [&](ScannedRow& row, bool& stop) -> Status {
    ++shown;
    const RowView* const uniform = projection != nullptr ? row.LiveUniform() : nullptr;
    if (uniform != nullptr) [[likely]] {
      WR_RETURN_IF_ERROR(projection->Read(*uniform, row, values));
      stop = !viewer.Show({values.data(), projection->output_count()});
    } else {
      if (!copied) copied.emplace(plan, request.context);
      WR_RETURN_IF_ERROR(copied->Read(row));
      stop = !viewer.Show(copied->values());
    }
    if (mode.skips_alike && viewer.SkipsAlike()) scan.SkipAlike();
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(scan.ForEach(show));
  if (scan.ended_early()) viewer.EndEarly();
  return shown;
}

}  // namespace

void ShowPage(const RowsPage& page, RowViewer& viewer) {
  PageReader reader(page);
  std::vector<ValueView> row;
  std::vector<ByteView> values(page.columns->size());
  while (reader.Next(row)) {
    for (size_t i = 0; i < row.size(); ++i) values[i] = row[i].value_or(ByteView());
    if (!viewer.Show(values)) return;
  }
}

Result<uint64_t> ShowRows(const Permit& permit, const SelectRequest& request, StorageEngine& storage,
                          const ViewOpener& open_view, RowViewer& viewer) {
  const auto& plan = std::get<SelectPlan>(permit.plan().node);
  viewer.Begin(request.columns);
  ScanOptions options = request.OfWholeScan();
  if (!viewer.mode().of_one_moment) options.page_rows = UINT32_MAX;
  if (InScanOrder(plan) && !plan.choices.empty()) {
    MergeScan scan(plan, storage, open_view, options);
    WR_RETURN_IF_ERROR(scan.Open({}));
    return ShowScanned(plan, request, scan, viewer);
  }
  if (InScanOrder(plan)) {
    RowScan scan(plan, storage, open_view, options);
    WR_RETURN_IF_ERROR(scan.Open({}));
    return ShowScanned(plan, request, scan, viewer);
  }
  SelectRequest whole = request;
  whole.page_rows = 0;
  whole.paging_state = {};
  WR_ASSIGN_OR_RETURN(const RowsPage page, RunSelect(permit, whole, storage, open_view));
  ShowPage(page, viewer);
  return uint64_t{page.row_count};
}

}  // namespace widerow
