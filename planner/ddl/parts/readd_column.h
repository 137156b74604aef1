// Checks ALTER TABLE ADD of a column that has the name of a dropped column. The stored values of the dropped column
// must be valid values of the new one.
#pragma once

#include "base/result.h"
#include "parser/ast.h"
#include "types/schema.h"

namespace widerow::ddl {

// Refuses the column as Cassandra does: if the dropped column was a counter, if its stored cells are not valid cells of
// `type`, or if only one of the two columns is static.
Status CheckReadded(const TableSchema& table, const ColumnDefinition& column, const Type& type);

}  // namespace widerow::ddl
