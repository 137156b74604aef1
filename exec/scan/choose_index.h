// Decides whether a RowScan reads an index or the table. The decision needs the statement's values and a view.
#pragma once

#include "exec/scan/bound_access.h"
#include "exec/scan/scan_filter.h"

namespace widerow {

// Decides how `access` is read, if it reads indexes: leaves at most one condition, or replaces the indexes by the table
// or by the partition that the statement names. Overwrites the row of `filter`. `rows_wanted`: the number of rows that
// will be read if all rows found pass the filter.
Status ChooseIndex(const TablePtr& table, StorageEngine& storage, ReadView& view, ScanFilter& filter,
                   uint64_t rows_wanted, BoundAccess& access);

}  // namespace widerow
