#include "shell/bulk_sink.h"

namespace widerow {

Status BulkSink::Load(const RowBatch& batch) {
  for (const RowBatch::Row& row : batch.rows) {
    values_.clear();
    WR_ASSIGN_OR_RETURN(const RowConverter::Converted converted, converter_.Convert(batch, row, values_));
    if (converted == RowConverter::Converted::kRefused) continue;
    const Status added = Add(row, converted);
    if (added.ok()) {
      counters_.rows_in.fetch_add(1, std::memory_order_relaxed);
    } else if (IsRowFault(added.error())) {
      WR_RETURN_IF_ERROR(converter_.Refuse(batch, row, "", FirstLine(added.error().message)));
    } else {
      return added.error();
    }
  }
  return OkStatus();
}

Status BulkSink::Add(const RowBatch::Row& row, RowConverter::Converted converted) {
  if (converted == RowConverter::Converted::kRow) return insert_.Add(lane_, values_, row.timestamp);
  std::vector<BoundValue> values;
  for (const CopyMapping::Column& column : mapping_.columns) {
    if (!column.of_partition()) continue;
    for (const size_t slot : column.slots) values.push_back(std::move(values_[slot]));
  }
  return statics_->Add(lane_, values, row.timestamp);
}

}  // namespace widerow
