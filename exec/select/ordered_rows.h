// IN on the partition key with ORDER BY: rows of several partitions, gathered and then put in the order of the leading clustering
// columns that ORDER BY names. Rows that agree in these stay in the order in which they came, as Cassandra's do.
#pragma once

#include <vector>

#include "exec/rows/rows_writer.h"
#include "exec/select/select.h"

namespace widerow {

// kInvalid if a result that is not asked for in pages has grown beyond what one answer may have.
Status CheckUnpaged(const RowsWriter& rows);

// The first `columns` of an encoded clustering, or all of it if it is shorter.
Result<ByteView> ClusteringPrefix(const TableSchema& table, ByteView clustering, uint32_t columns);

class OrderedRows {
 public:
  explicit OrderedRows(const SelectPlan& plan) : plan_(plan) {}

  // Around what one row writes to `rows`. kInvalid if all together become too long to be held.
  Status Begin(ByteView clustering, const RowsWriter& rows);
  Status End(const RowsWriter& rows);
  // The first `limit` of them.
  RowsPage Finish(const RowsWriter& rows, const SelectRequest& request, uint32_t limit) &&;

 private:
  struct Entry { Bytes order; size_t begin = 0, end = 0; };  // Of a row, in the RowsWriter.

  const SelectPlan& plan_;
  std::vector<Entry> entries_;
  size_t order_bytes_ = 0;
};

}  // namespace widerow
