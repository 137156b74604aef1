#include "exec/point_read.h"

#include <chrono>

#include "base/limits.h"
#include "exec/bind.h"
#include "exec/projection.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {
namespace {

constexpr size_t kRowBytes = 256;

bool IsOne(const KeyValues& values) { return !values.is_in && !values.list_valued && values.values.size() == 1; }

bool IsWholeKey(const PointLookup& path, const TableSchema& table) {
  for (const KeyValues& values : path.partition_key) {
    if (!IsOne(values)) return false;
  }
  for (const auto& part : path.clustering.prefix) {
    const auto* values = std::get_if<KeyValues>(&part);
    if (values == nullptr || !IsOne(*values)) return false;
  }
  return path.clustering.prefix.size() == table.clustering_size && !path.clustering.lower && !path.clustering.upper;
}

// The time of a read, of every sixteenth for all: looking at the clock is a good part of what a read from memory takes.
class SampledTime {
 public:
  SampledTime() : sampled_(Count() % kEvery == 0) {
    if (sampled_) begin_ = std::chrono::steady_clock::now();
  }
  uint64_t Micros() const {
    if (!sampled_) return 0;
    const auto spent = (std::chrono::steady_clock::now() - begin_) * kEvery;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
  }

 private:
  static constexpr uint32_t kEvery = 16;
  static uint32_t Count() {
    thread_local uint32_t count = 0;
    return ++count;
  }
  const bool sampled_;
  std::chrono::steady_clock::time_point begin_;
};

// A row whose cells have times of their own, if it is live.
void AppendAnyRow(const SelectPlan& plan, const SelectRequest& request, ByteView key, const RowView& row, RowsWriter& rows) {
  const RowLayout layout(*plan.table);
  ScannedRow scanned(layout, request.now_seconds);
  scanned.Reset(key, &row, nullptr);
  if (!scanned.RowLive()) return;
  for (const OutputColumn& output : plan.output) {
    rows.Append(scanned.SingleCell(std::get<ColumnExpression>(output.expression.node).column));
  }
  rows.EndRow();
}

}  // namespace

Result<std::optional<RowsPage>> RunPointRead(const SelectPlan& plan, const SelectRequest& request, StorageEngine& storage,
                                             const ViewOpener& open_view) {
  const TableSchema& table = *plan.table;
  const auto* path = std::get_if<PointLookup>(&plan.access);
  const bool plain = path != nullptr && plan.filter.empty() && !plan.aggregated && !plan.distinct && !plan.needs_statics;
  if (!plain || !request.paging_state.empty() || !IsWholeKey(*path, table) || IsVirtual(table)) {
    return std::optional<RowsPage>();
  }
  if (request.projection == nullptr || !request.projection->regular_only()) return std::optional<RowsPage>();

  const SampledTime time;
  Bytes key, clustering;
  WR_RETURN_IF_ERROR(BindRowKey(table, path->partition_key, path->clustering, request.context, key, clustering));
  if (plan.limit) WR_RETURN_IF_ERROR(BindLimit(plan.limit, request.context));
  if (plan.per_partition_limit) WR_RETURN_IF_ERROR(BindLimit(plan.per_partition_limit, request.context));
  WR_ASSIGN_OR_RETURN(const std::unique_ptr<ReadView> view, open_view());
  RowView row;
  WR_ASSIGN_OR_RETURN(const bool found, view->GetRow(table, key, clustering, row));
  RowsWriter rows(found ? kRowBytes : 0);
  if (found) {
    if (row.uniform && row.times.LiveAt(request.now_seconds) && row.marker.LiveAt(request.now_seconds)) {
      request.projection->AppendRegular(row, rows);
    } else {
      AppendAnyRow(plan, request, key, row, rows);
    }
    if (rows.bytes() > limits::kPageBytesMax) return std::optional<RowsPage>();
  }
  storage.CountRead(table, key, time.Micros());
  return std::optional<RowsPage>(std::move(rows).Finish(request.columns));
}

}  // namespace widerow
