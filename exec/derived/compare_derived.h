// Compares indexes and materialized views with their tables, for `widerow check`. Each row of a table must have its
// entries in indexes and its rows in views. Each entry and each row of a view must follow from a row of the table.
#pragma once

#include <functional>
#include <map>

#include "storage/check_report.h"
#include "storage/storage_engine.h"

namespace widerow {

// Compares all indexes and views, and adds the faults to the report. `stale` has the tables whose indexes and views may
// have rows without a base row (StorageEngine::StaleMarks). Such rows are no fault. Rows that expire within some
// minutes are not compared. If a read fails, its error is added, and the rest of the index or view is not compared.
void CompareDerived(ReadView& view, const SchemaSnapshot& schema, const std::map<StorageId, uint64_t>& stale,
                    int64_t now_seconds, const std::function<void(const std::string& name)>& progress,
                    CheckReport& report);

}  // namespace widerow
