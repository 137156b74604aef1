#include "exec/select/ordered_rows.h"

#include <algorithm>

#include "base/limits.h"
#include "types/order_codec.h"

namespace widerow {

Result<ByteView> ClusteringPrefix(const TableSchema& table, ByteView clustering, uint32_t columns) {
  ByteView rest = clustering;
  for (uint32_t i = 0; i < columns && !rest.empty(); ++i) {
    const ColumnSchema& column = table.clustering(i);
    WR_RETURN_IF_ERROR(SkipComparable(*column.type, column.descending, rest));
  }
  return clustering.substr(0, clustering.size() - rest.size());
}

Status OrderedRows::Begin(ByteView clustering, const RowsWriter& rows) {
  WR_ASSIGN_OR_RETURN(const ByteView order, ClusteringPrefix(*plan_.table, clustering, plan_.order_columns));
  entries_.push_back({.order = Bytes(order), .begin = rows.bytes()});
  order_bytes_ += order.size();
  return OkStatus();
}

Status OrderedRows::End(RowsWriter& rows) {
  entries_.back().end = rows.bytes();
  const size_t others = order_bytes_ + entries_.size() * sizeof(Entry);
  if (rows.bytes() + others <= limits::kPageBytesMax) return rows.CheckWhole(others);
  return InvalidError("The rows to put in order exceed " + std::to_string(limits::kPageBytesMax) + " bytes",
                      "narrow the IN list or sort on the client");
}

RowsPage OrderedRows::Finish(const RowsWriter& rows, const SelectRequest& request, uint32_t limit) && {
  std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
    return plan_.reversed ? b.order < a.order : a.order < b.order;
  });
  RowsPage page{.columns = request.columns};
  for (const Entry& entry : entries_) {
    if (page.row_count == limit) break;
    page.body += rows.From(entry.begin).substr(0, entry.end - entry.begin);
    ++page.row_count;
    if (request.index_rows) page.row_ends.push_back(static_cast<uint32_t>(page.body.size()));
  }
  return page;
}

}  // namespace widerow
