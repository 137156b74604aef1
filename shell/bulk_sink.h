// Stores the rows of a CSV file by a bulk load. Each worker uses one lane of the bulk load.
#pragma once

#include "exec/engine/bulk_insert.h"
#include "shell/row_converter.h"

namespace widerow {

class BulkSink final : public RowSink {
 public:
  // `insert`, the mapping, the command, the bad rows and the counters must outlive the sink.
  BulkSink(BulkInsert& insert, size_t lane, const CopyMapping& mapping, const CopyCommand& command, BadRows& bad,
           LoaderCounters& counters)
      : insert_(insert), lane_(lane), converter_(mapping, command, bad), counters_(counters) {}

  Status Load(const RowBatch& batch) override;

 private:
  BulkInsert& insert_;
  const size_t lane_;
  const RowConverter converter_;
  LoaderCounters& counters_;
  std::vector<BoundValue> values_;
};

}  // namespace widerow
