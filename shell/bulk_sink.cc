#include "shell/bulk_sink.h"

namespace widerow {

Status BulkSink::Load(const RowBatch& batch) {
  for (const RowBatch::Row& row : batch.rows) {
    values_.clear();
    WR_ASSIGN_OR_RETURN(const bool good, converter_.Convert(batch, row, values_));
    if (!good) continue;
    const Status added = insert_.Add(lane_, values_, row.timestamp);
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

}  // namespace widerow
