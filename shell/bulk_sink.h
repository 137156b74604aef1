// Stores the rows of a CSV file by a bulk load. Each worker uses one lane of the bulk load.
#pragma once

#include "exec/engine/bulk_insert.h"
#include "shell/row_converter.h"

namespace widerow {

class BulkSink final : public RowSink {
 public:
  // `insert` takes rows. `statics` takes the static columns of records without a row; null if the mapping does not
  // allow such records. All arguments must outlive the sink.
  BulkSink(BulkInsert& insert, BulkInsert* statics, size_t lane, const CopyMapping& mapping, const CopyCommand& command,
           BadRows& bad, LoaderCounters& counters)
      : insert_(insert),
        statics_(statics),
        lane_(lane),
        mapping_(mapping),
        converter_(mapping, command, bad),
        counters_(counters) {}

  Status Load(const RowBatch& batch) override;

 private:
  Status Add(const RowBatch::Row& row, RowConverter::Converted converted);

  BulkInsert& insert_;
  BulkInsert* const statics_;
  const size_t lane_;
  const CopyMapping& mapping_;
  const RowConverter converter_;
  LoaderCounters& counters_;
  std::vector<BoundValue> values_;
};

}  // namespace widerow
