// The parts of a row in a memtable. A small row is one record, which each write replaces. A large row is a chain of
// parts (Memtable::Version::rest), and a write adds a small part or replaces the newest parts. Each part is at least
// twice as large as the next newer one, except that parts of up to 1 KiB are merged with the next write in any case. So
// n small writes to one row copy each of their bytes about log n times, also if the row has a value of many megabytes.
// A chain has at most some twenty parts; a read merges them.
//
// Used on the writer's thread (MergeOver) and on the folder's (WholeRow).
#pragma once

#include "storage/memtable/memtable.h"

namespace widerow {

struct RowParts {
  Bytes record;
  const Memtable::Version* rest = nullptr;
};

// Merges `record`, a new fragment of the row, with the newest parts of `newest`. Returns the record and the rest of the
// version to push. Fails if a record is damaged; the log's checksum is right then, but its content is not a write.
Result<RowParts> MergeOver(const TableColumns& columns, const Memtable::Version& newest, ByteView record);

// Merges all parts of a row's version. False if a record is damaged.
bool WholeRow(const TableColumns& columns, const Memtable::Version& version, RowFragment& row);

}  // namespace widerow
