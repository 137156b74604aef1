#include "exec/select/select.h"

#include "exec/bind/bind.h"
#include "exec/derived/word_statistics.h"
#include "exec/nearest/bind_nearest.h"
#include "exec/rows/projection.h"
#include "exec/rows/rows_writer.h"
#include "exec/scan/merge_scan.h"
#include "exec/scan/row_scan.h"
#include "exec/select/aggregate.h"
#include "exec/select/group_rows.h"
#include "exec/select/ordered_rows.h"
#include "exec/select/ranked_rows.h"

namespace widerow {

namespace {

// Memory to reserve for a page of several rows: enough for most pages.
constexpr size_t kPageBytes = 8u << 10;

// Writes the selected outputs of rows.
class OutputWriter {
 public:
  OutputWriter(const SelectPlan& plan, const SelectRequest& request, size_t expected_bytes)
      : plan_(plan), context_(request.context), projection_(request.projection), rows_(expected_bytes) {
    rows_.SetLimits(request.answer);
    if (request.index_rows) rows_.IndexRows();
  }

  Status Append(ScannedRow& row) {
    const RowView* uniform = projection_ != nullptr ? row.LiveUniform() : nullptr;
    if (uniform == nullptr) return AppendEach(row);
    return projection_->Append(*uniform, row, rows_);
  }
  // Does what Append does, for SELECTs that keep rows before they answer. It is a function of its own, so that Append
  // has few callers and the compiler inlines it into RunPlain. Otherwise each row of a slice would cost 3 % more
  // instructions.
  [[gnu::noinline]] Status AppendKept(ScannedRow& row) { return Append(row); }
  RowsWriter& rows() { return rows_; }
  ScannedRow::AskForRoom room() {
    return [this](size_t bytes) { return rows_.AskForRoom(bytes); };
  }

 private:
  Status AppendEach(ScannedRow& row) {
    context_.row = &row;
    for (const OutputColumn& output : plan_.output) {
      if (const auto* column = std::get_if<ColumnExpression>(&output.expression.node)) {
        WR_ASSIGN_OR_RETURN(const ValueView value, row.Column(column->column));
        WR_RETURN_IF_ERROR(rows_.MakeRoomForValue(value.value_or(ByteView()).size()));
        rows_.Append(value);
      } else {
        WR_ASSIGN_OR_RETURN(const Value value, Evaluate(output.expression, context_));
        if (value) WR_RETURN_IF_ERROR(rows_.MakeRoomForValue(value->size()));
        rows_.Append(value ? ValueView(*value) : ValueView());
      }
    }
    rows_.EndRow();
    return OkStatus();
  }

  const SelectPlan& plan_;
  EvaluationContext context_;
  const Projection* projection_;
  RowsWriter rows_;
};

// Runs a SELECT with IN on the partition key and ORDER BY.
Result<RowsPage> RunMerged(const SelectPlan& plan, const SelectRequest& request, RowScan& scan, uint32_t limit) {
  OutputWriter output(plan, request, kPageBytes);
  OrderedRows ordered(plan);
  scan.SetRoom(output.room());
  const auto gather = [&](ScannedRow& row, bool&) -> Status {
    WR_RETURN_IF_ERROR(ordered.Begin(scan.clustering(), output.rows()));
    WR_RETURN_IF_ERROR(output.AppendKept(row));
    return ordered.End(output.rows());
  };
  WR_RETURN_IF_ERROR(scan.ForEach(gather));
  return std::move(ordered).Finish(output.rows(), request, limit);
}

// Runs a SELECT with ORDER BY … BM25 OF. `may_be_stale`: MayHaveStaleEntries before the scan was opened.
template <typename Scan>  // RowScan, MergeScan
Result<RowsPage> RunRanked(const SelectPlan& plan, const SelectRequest& request, StorageEngine& storage,
                           bool may_be_stale, Scan& scan) {
  may_be_stale = may_be_stale || MayHaveStaleEntries(*plan.table, storage);
  WR_ASSIGN_OR_RETURN(const Relevance relevance, BindRelevance(plan, request, may_be_stale, scan.view()));
  WR_ASSIGN_OR_RETURN(const std::optional<uint32_t> limit, BindLimit(plan.limit, request.context));
  OutputWriter output(plan, request, kPageBytes);
  RankedRows ranked(limit.value_or(UINT32_MAX));
  scan.SetRoom(output.room());
  const auto rank = [&](ScannedRow& row, bool&) -> Status {
    WR_ASSIGN_OR_RETURN(const ValueView text, row.Column(plan.relevance->column));
    if (!text) return OkStatus();
    if (request.meter != nullptr) ++request.meter->texts_scored;
    const double score = relevance.Of(*text);
    if (!ranked.Keeps(score)) return OkStatus();
    const size_t begin = output.rows().bytes();
    WR_RETURN_IF_ERROR(output.AppendKept(row));
    return ranked.Add(score, begin, output.rows());
  };
  WR_RETURN_IF_ERROR(scan.ForEach(rank));
  return std::move(ranked).Finish(request);
}

template <typename Scan>  // RowScan, MergeScan
Result<RowsPage> RunPlain(const SelectPlan& plan, const SelectRequest& request, Scan& scan) {
  OutputWriter output(plan, request, std::holds_alternative<PointLookup>(plan.access) ? kRowBytes : kPageBytes);
  RowsWriter& rows = output.rows();
  const bool paged = request.page_rows > 0;
  bool full = false;
  scan.SetRoom(output.room());
  const auto append = [&](ScannedRow& row, bool& stop) -> Status {
    WR_RETURN_IF_ERROR(output.Append(row));
    if (paged) {
      stop = full = rows.rows() == request.page_rows || rows.PageIsFull();
      return OkStatus();
    }
    return rows.CheckWhole();
  };
  WR_RETURN_IF_ERROR(scan.ForEach(append));
  RowsPage page = std::move(rows).Finish(request.columns);
  // As in Cassandra, a full page has a state even if no row follows: the next page is then empty.
  if (scan.ended_early() || (full && !scan.exhausted())) page.paging_state = scan.Encoded(scan.Position());
  return page;
}

}  // namespace

ResultColumnsPtr ResultColumnsOf(const SelectPlan& plan) {
  auto columns = std::make_shared<ResultColumns>();
  for (const OutputColumn& output : plan.output) {
    columns->push_back({plan.table->keyspace, plan.table->name, output.name, output.expression.type});
  }
  return columns;
}

Result<RowsPage> RunSelect(const Permit& permit, const SelectRequest& request, StorageEngine& storage,
                           const ViewOpener& open_view) {
  const auto& plan = std::get<SelectPlan>(permit.plan().node);
  const bool one_page = plan.sorts_partitions() || (plan.aggregated && !plan.group_by) || IsTopK(plan);
  if (one_page && !request.paging_state.empty()) return ForeignPagingState();
  ScanOptions options = request.OfWholeScan();
  options.page_rows = request.page_rows;
  const bool may_be_stale = plan.relevance && MayHaveStaleEntries(*plan.table, storage);
  if (!plan.choices.empty()) {
    MergeScan scan(plan, storage, open_view, options);
    WR_RETURN_IF_ERROR(scan.Open(request.paging_state));
    if (plan.relevance) return RunRanked(plan, request, storage, may_be_stale, scan);
    if (plan.group_by) return RunGroups(plan, request, scan);
    return plan.aggregated ? RunAggregate(plan, request, scan) : RunPlain(plan, request, scan);
  }
  RowScan scan(plan, storage, open_view, options);
  WR_RETURN_IF_ERROR(scan.Open(request.paging_state));
  // As in Cassandra, a SELECT with ORDER BY and IN on the partition key cannot have pages. A SELECT without aggregates
  // is refused only if it reads something: rows that can match (with IN (), there are none), or static columns beside
  // the rows.
  const bool reads = !scan.reads_nothing() || (plan.statics_beside_rows && scan.names_partitions());
  if (plan.merge_partitions && request.page_rows > 0 && (plan.aggregated || reads)) {
    return InvalidError(
        "Cannot page queries with both ORDER BY and a IN restriction on the partition key; you must either remove "
        "the ORDER BY or the IN and sort client side, or disable paging for this query");
  }
  if (plan.relevance) return RunRanked(plan, request, storage, may_be_stale, scan);
  if (plan.aggregated && !plan.group_by) return RunAggregate(plan, request, scan, storage, open_view);
  if (plan.merge_partitions) {
    if (plan.group_by) return RunGroups(plan, request, scan);
    WR_ASSIGN_OR_RETURN(auto limit, BindLimit(plan.limit, request.context));
    return RunMerged(plan, request, scan, limit.value_or(UINT32_MAX));
  }
  return plan.group_by ? RunGroups(plan, request, scan) : RunPlain(plan, request, scan);
}

}  // namespace widerow
