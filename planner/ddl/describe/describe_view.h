// Prints a materialized view as a CREATE statement, as Cassandra 5's DESCRIBE does.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

std::string DescribeView(const TableSchema& view, bool with_internals = false);

}  // namespace widerow
