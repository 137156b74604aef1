// IN on the partition key with ORDER BY: collects the rows of several partitions, then sorts them by the leading
// clustering columns that ORDER BY names. Rows that are equal in these columns keep their order of arrival, as in
// Cassandra. Used by one thread.
#pragma once

#include <vector>

#include "exec/rows/rows_writer.h"
#include "exec/select/select.h"

namespace widerow {

// Returns the encoded first `columns` columns of an encoded clustering, or all of it if it is shorter. Borrows
// `clustering`.
Result<ByteView> ClusteringPrefix(const TableSchema& table, ByteView clustering, uint32_t columns);

class OrderedRows {
 public:
  explicit OrderedRows(const SelectPlan& plan) : plan_(plan) {}

  // For each row: call Begin, write the row to `rows`, call End. kInvalid if the collected rows become too large,
  // kOverloaded if there is no memory for them.
  Status Begin(ByteView clustering, const RowsWriter& rows);
  Status End(RowsWriter& rows);
  // Returns the first `limit` rows in order.
  RowsPage Finish(const RowsWriter& rows, const SelectRequest& request, uint32_t limit) &&;

 private:
  // One row in the RowsWriter.
  struct Entry {
    Bytes order;
    size_t begin = 0, end = 0;
  };

  const SelectPlan& plan_;
  std::vector<Entry> entries_;
  size_t order_bytes_ = 0;
};

}  // namespace widerow
