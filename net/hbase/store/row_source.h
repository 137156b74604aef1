// A RowSource has the rows of a scanner. They come from a stored table or from the synthetic table hbase:meta.
#pragma once

#include "net/hbase/store/row_reader.h"

namespace widerow::hbase {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Reads whole rows at the beginning of the range, until they have about `cells` cells.
  virtual Result<RowChunk> Read(const RowRangeSpec& range, uint32_t cells, AnswerRoom* room) = 0;
};

}  // namespace widerow::hbase
