// ALTER TABLE ADD of a column whose name a dropped one had: what was stored of that has to make sense as values of the
// new one.
#pragma once

#include "base/result.h"
#include "parser/ast.h"
#include "types/schema.h"

namespace widerow::ddl {

// Refuses it as Cassandra does: another type that does not read the old one's bytes in the old one's order, a static
// column for one that was not, counters.
Status CheckReadded(const TableSchema& table, const ColumnDefinition& column, const Type& type);

}  // namespace widerow::ddl
