// Finds the tables that a schema change has changed, without looking into unchanged keyspaces. Schemas share keyspaces
// and tables, so the same pointer means the same table. With ten thousand tables this keeps CREATE TABLE quick. Safe on
// any thread.
#pragma once

#include <functional>

#include "types/schema.h"

namespace widerow {

// Calls `visit` for every table that is not the same object in both schemas, in the order of names. `was` is the table
// before the change, and `is` the table after it; null if the schema does not have the table. After a table, visits the
// hidden tables that hold the entries of its indexes.
void ForEachChangedTable(const SchemaSnapshot& before, const SchemaSnapshot& after,
                         const std::function<void(const TablePtr& was, const TablePtr& is)>& visit);

// Calls `visit` for every stored table, including the hidden tables that hold the entries of indexes.
void ForEachStoredTable(const SchemaSnapshot& schema, const std::function<void(const TablePtr& table)>& visit);

}  // namespace widerow
