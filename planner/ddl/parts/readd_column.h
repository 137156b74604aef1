// ALTER TABLE ADD of a column whose name a dropped column had. The stored values of the old column must be valid values
// of the new one.
#pragma once

#include "base/result.h"
#include "parser/ast.h"
#include "types/schema.h"

namespace widerow::ddl {

// Refuses the column as Cassandra does: if its type does not read the old type's bytes in the old type's order, if it
// is static and the old one was not, and for counters.
Status CheckReadded(const TableSchema& table, const ColumnDefinition& column, const Type& type);

}  // namespace widerow::ddl
