// The encoding of cells in the cell blocks that follow requests and answers: HBase's KeyValueCodec. Each cell is
//   length (4) | key length (4) | value length (4) | row length (2), row | family length (1), family | qualifier
//   | timestamp (8) | type (1) | value
// with big-endian integers. The length counts the bytes after it.
#pragma once

#include "base/result.h"
#include "net/hbase/cells/cell.h"

namespace widerow::hbase {

void AppendKeyValue(Bytes& out, ByteView row, const Cell& cell);
// The same, from the parts of a cell.
void AppendKeyValue(Bytes& out, ByteView row, ByteView family, ByteView qualifier, int64_t timestamp, CellType type,
                    ByteView value);
// Removes `count` cells from the front of `in` and returns their bytes, without a look into the cells. If they are cut
// off, removes everything and fails.
Result<ByteView> CutKeyValues(ByteView& in, size_t count);
// Removes a cell from the front of `in`. Fails if it is cut off or contradicts itself.
Status TakeKeyValue(ByteView& in, Bytes& row, Cell& cell);

}  // namespace widerow::hbase
