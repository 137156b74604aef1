// Prints a materialized view as a CREATE statement, as Cassandra 5's DESCRIBE does.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

// Returns the statement that recreates `view`, a view of the table `base`. SELECT * is printed only if all columns of
// the base table are in the view, because CREATE MATERIALIZED VIEW refuses * for a table with static columns.
std::string DescribeView(const TableSchema& view, const TableSchema& base, bool with_internals = false);

}  // namespace widerow
