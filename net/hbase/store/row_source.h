// Where a scanner gets its rows from: a stored table, or the synthetic table hbase:meta.
#pragma once

#include "net/hbase/store/row_reader.h"

namespace widerow::hbase {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Reads about `cells` cells at the beginning of the range, in whole rows.
  virtual Result<RowChunk> Read(const RowRangeSpec& range, uint32_t cells, AnswerRoom* room) = 0;
};

}  // namespace widerow::hbase
