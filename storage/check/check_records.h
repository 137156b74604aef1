// Checks all records of the database `data` in a snapshot of the data file: their keys, checksums and content, their
// spilled values and tombstones, and whether each record belongs to a table.
#pragma once

#include "storage/check_report.h"
#include "storage/fold/catalog_store.h"

namespace widerow {

// `meta` is the catalog of the same snapshot. `log_follows` says that the commit log has writes that are not in the
// snapshot. Then rows of tables that the catalog does not have yet are no fault. `progress` receives the number of
// records so far.
void CheckRecords(lmdb::TxnRef txn, const StoredMeta& meta, bool log_follows,
                  const std::function<void(uint64_t)>& progress, CheckReport& report);

}  // namespace widerow
