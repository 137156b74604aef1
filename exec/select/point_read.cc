#include "exec/select/point_read.h"

#include "base/limits.h"
#include "exec/bind/bind.h"
#include "exec/select/show_rows.h"
#include "exec/virtual/virtual_tables.h"

namespace widerow {
namespace {

bool IsOne(const KeyValues& values) { return !values.is_in && !values.list_valued && values.values.size() == 1; }

bool IsWholeKey(const PointLookup& path, const TableSchema& table) {
  for (const KeyValues& values : path.partition_key) {
    if (!IsOne(values)) return false;
  }
  for (const auto& part : path.clustering.prefix) {
    const auto* values = std::get_if<KeyValues>(&part);
    if (values == nullptr || !IsOne(*values)) return false;
  }
  return path.clustering.names_whole_rows(table);
}

bool IsGiven(const Expression& value) {
  return std::holds_alternative<MarkerExpression>(value.node) || std::holds_alternative<ConstantExpression>(value.node);
}

// Memory for the keys of this thread's reads; released after a very long key.
struct KeyRoom {
  static constexpr size_t kKeptMax = 4'096;
  Bytes partition, clustering;

  void Clear() {
    for (Bytes* bytes : {&partition, &clustering}) {
      if (bytes->capacity() > kKeptMax) *bytes = Bytes();
      bytes->clear();
    }
  }
};

void Meter(const RowView* row, ByteView partition_key, ByteView clustering, ScanMeter& meter) {
  if (row != nullptr) ++meter.rows_accepted;
  meter.Partition(partition_key, clustering, row != nullptr ? 1 : 0, row != nullptr ? BytesOf(*row) : 0);
}

}  // namespace

std::shared_ptr<const PointRead> PointRead::Of(const Plan& plan, std::shared_ptr<const Projection> projection) {
  const auto* select = std::get_if<SelectPlan>(&plan.node);
  if (select == nullptr) return nullptr;
  const TableSchema& table = *select->table;
  const auto* path = std::get_if<PointLookup>(&select->access);
  const bool plain =
      path != nullptr && select->filter.empty() && !select->aggregated && !select->distinct && !select->needs_statics;
  if (!plain || !IsWholeKey(*path, table) || IsVirtual(table) || table.view != nullptr) return nullptr;
  if (projection == nullptr || !projection->regular_only()) return nullptr;
  return std::make_shared<const PointRead>(*select, std::move(projection));
}

PointRead::PointRead(const SelectPlan& plan, std::shared_ptr<const Projection> projection)
    : plan_(plan), path_(std::get<PointLookup>(plan.access)), layout_(plan), projection_(std::move(projection)) {
  for (const OutputColumn& output : plan.output) {
    columns_.push_back(std::get<ColumnExpression>(output.expression.node).column);
  }
  const auto look_at = [&](const KeyValues& values) { needs_time_ = needs_time_ || !IsGiven(values.values[0]); };
  for (const KeyValues& values : path_.partition_key) look_at(values);
  for (const auto& part : path_.clustering.prefix) look_at(std::get<KeyValues>(part));
  for (const auto* limit : {&plan.limit, &plan.per_partition_limit}) {
    if (*limit) needs_time_ = needs_time_ || !IsGiven(**limit);
  }
}

template <typename Use>
Status PointRead::Find(const EvaluationContext& context, StorageEngine& storage, ScanMeter* meter,
                       const Use& use) const {
  thread_local KeyRoom key;
  key.Clear();
  const TableSchema& table = *plan_.table;
  if (plan_.limit) WR_RETURN_IF_ERROR(BindLimit(plan_.limit, context));
  if (plan_.per_partition_limit) WR_RETURN_IF_ERROR(BindLimit(plan_.per_partition_limit, context));
  WR_RETURN_IF_ERROR(BindRowKey(table, path_.partition_key, path_.clustering, context, key.partition, key.clustering));
  Status used;
  const auto found = [&](const RowView* row) {
    if (row != nullptr) used = use(*row, key.partition);
    if (meter != nullptr) [[unlikely]]
      Meter(row, key.partition, key.clustering, *meter);
  };
  WR_RETURN_IF_ERROR(storage.ReadRow(table, key.partition, key.clustering, std::ref(found)));
  return used;
}

Result<bool> PointRead::Run(const Permit&, const EvaluationContext& context, int64_t now_seconds,
                            StorageEngine& storage, ScanMeter* meter, RowsWriter& rows) const {
  const auto append = [&](const RowView& row, ByteView key) -> Status {
    if (IsLiveUniform(row, now_seconds)) return projection_->AppendRegular(row, rows);
    ScannedRow scanned(layout_, now_seconds);  // The row's cells have different times.
    scanned.SetRoom([&rows](size_t bytes) { return rows.AskForRoom(bytes); });
    scanned.Reset(key, &row, nullptr);
    if (!scanned.RowLive()) return OkStatus();
    for (const uint32_t column : columns_) {
      WR_ASSIGN_OR_RETURN(const ValueView value, scanned.Column(column));
      WR_RETURN_IF_ERROR(rows.MakeRoomForValue(value.value_or(ByteView()).size()));
      rows.Append(value);
    }
    rows.EndRow();
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(Find(context, storage, meter, append));
  return rows.bytes() <= limits::kPageBytesMax;
}

Result<uint64_t> PointRead::Show(const Permit&, const EvaluationContext& context, int64_t now_seconds,
                                 StorageEngine& storage, ScanMeter* meter, RowViewer& viewer) const {
  uint64_t shown = 0;
  const auto show = [&](const RowView& row, ByteView key) -> Status {
    Projection::Values values;
    if (IsLiveUniform(row, now_seconds)) {
      WR_RETURN_IF_ERROR(projection_->ReadRegular(row, values));
    } else {
      ScannedRow scanned(layout_, now_seconds);
      scanned.Reset(key, &row, nullptr);
      if (!scanned.RowLive()) return OkStatus();
      for (size_t i = 0; i < columns_.size(); ++i) {
        WR_ASSIGN_OR_RETURN(const ValueView value, scanned.Column(columns_[i]));
        values[i] = value.value_or(ByteView());
      }
      // The values may borrow from `scanned`, so they are shown while it exists.
      viewer.Show({values.data(), columns_.size()});
      ++shown;
      return OkStatus();
    }
    viewer.Show({values.data(), columns_.size()});
    ++shown;
    return OkStatus();
  };
  WR_RETURN_IF_ERROR(Find(context, storage, meter, show));
  return shown;
}

Status PointRead::ReadCell(const Permit&, const EvaluationContext& context, int64_t now_seconds, StorageEngine& storage,
                           ScanMeter* meter, const UseCell& use) const {
  const ColumnId column = layout_.place(columns_.front()).id;
  return Find(context, storage, meter, [&](const RowView& stored, ByteView key) -> Status {
    RowView row = stored;
    row.ExpandUniform();
    for (const CellView& cell : row.cells) {
      if (cell.column == column && cell.LiveAt(now_seconds)) return use(cell, key);
    }
    return OkStatus();
  });
}

}  // namespace widerow
