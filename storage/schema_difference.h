// What one schema change has changed, found without looking at what it has left alone: keyspaces and tables are shared between
// schemas, so the same pointer is the same table. With ten thousand tables a CREATE TABLE depends on it.
#pragma once

#include <functional>

#include "types/schema.h"

namespace widerow {

// Calls `visit` for every table that is not the same object in both, in the order of names: as it was and as it is now, null
// where it does not exist. The stored entries of a table's indexes come after it, as tables of their own. Any thread.
void ForEachChangedTable(const SchemaSnapshot& before, const SchemaSnapshot& after,
                         const std::function<void(const TablePtr& was, const TablePtr& is)>& visit);

// Every table that is stored, the entries of indexes among them.
void ForEachStoredTable(const SchemaSnapshot& schema, const std::function<void(const TablePtr& table)>& visit);

}  // namespace widerow
