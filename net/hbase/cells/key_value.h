// The encoding of cells in the cell blocks that follow requests and answers: HBase's KeyValueCodec. Each cell is
//   length (4) | key length (4) | value length (4) | row length (2), row | family length (1), family | qualifier
//   | timestamp (8) | type (1) | value
// with big-endian integers. The first length counts all bytes after it.
#pragma once

#include "base/result.h"
#include "net/hbase/cells/cell.h"

namespace widerow::hbase {

void AppendKeyValue(Bytes& out, ByteView row, const Cell& cell);
// Appends a cell that is given by its parts.
void AppendKeyValue(Bytes& out, ByteView row, ByteView family, ByteView qualifier, int64_t timestamp, CellType type,
                    ByteView value);
// Removes `count` cells from the front of `in` and returns their bytes, without a look into the cells. If `in` ends
// before the last of them, removes everything and fails.
Result<ByteView> CutKeyValues(ByteView& in, size_t count);
// Removes a cell from the front of `in`. Fails if `in` ends too early, or if the lengths in the cell contradict each
// other.
Status TakeKeyValue(ByteView& in, Bytes& row, Cell& cell);

}  // namespace widerow::hbase
