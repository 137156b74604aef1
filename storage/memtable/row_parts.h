// The parts of a row in a memtable. A small row is one record, and each write replaces this record by a merged one. A
// large row is a chain of parts (Memtable::Version::rest). A write adds a part to the chain, or is merged with the
// newest parts and replaces them. Each part is at least twice as large as the next newer one; but a part of up to 1 KiB
// is always merged with the next write. So n small writes to one row copy each of their bytes about log n times, even
// if the row has a value of many megabytes. A chain has at most about twenty parts. A read merges them.
//
// MergeOver is used on the writer's thread, WholeRow on the folder's thread.
#pragma once

#include "storage/memtable/memtable.h"

namespace widerow {

struct RowParts {
  Bytes record;
  const Memtable::Version* rest = nullptr;
};

// Merges `record`, a new fragment of the row, with the newest parts of the chain that begins with `newest`. Returns the
// merged part, and in `rest` the older parts that were not merged. The caller stores the merged part and `rest` as the
// next version of the row. Fails if a record is damaged: its bytes are not those of a write, although the checksum of
// the log is right.
Result<RowParts> MergeOver(const TableColumns& columns, const Memtable::Version& newest, ByteView record);

// Merges all parts of a row's version. False if a record is damaged.
bool WholeRow(const TableColumns& columns, const Memtable::Version& version, RowFragment& row);

}  // namespace widerow
