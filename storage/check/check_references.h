// Checks the large values to which only the commit log refers: each must have all of its pieces. CheckRecords checks
// the large values of the rows in the data file. The log has pieces only while it is kept for backups. Otherwise the
// data file alone has the pieces. Then a lost commit of the data file may leave a logged write without its pieces, and
// the replay does not notice it (docs/internals/decisions/0028-large-objects.md).
#pragma once

#include <map>

#include "storage/check_report.h"
#include "storage/lmdb/env.h"
#include "storage/memtable/memtable.h"

namespace widerow {

// The size of each piece, by the number of the large object and then by the number of the piece.
using PieceSizes = std::map<uint64_t, std::map<uint64_t, uint64_t>>;

// `memtable` has the replayed log, and `txn` is not older than the log. `logged` has the sizes of the pieces in the
// log. The next start stores these pieces if they are not in the data file yet.
void CheckReferences(lmdb::TxnRef txn, const Memtable& memtable, const LiveTables& tables, const PieceSizes& logged,
                     CheckReport& report);

}  // namespace widerow
