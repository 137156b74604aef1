// A RowSource has the rows of a scanner. They come from a stored table or from the synthetic table hbase:meta.
#pragma once

#include "net/hbase/store/row_reader.h"

namespace widerow::hbase {

class RowSource {
 public:
  virtual ~RowSource() = default;
  // Reads whole rows at the beginning of the range, until they have about `cells` cells.
  virtual Result<RowChunk> Read(const RowRangeSpec& range, uint32_t cells, AnswerRoom* room) = 0;
  // Shows k, q, t and v of the cells in the range. Returns false, and does nothing, if the rows are not those of a
  // stored table with one family.
  virtual Result<bool> Show(const RowRangeSpec& /*range*/, RowViewer& /*viewer*/) { return false; }
};

}  // namespace widerow::hbase
