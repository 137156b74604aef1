// The CREATE statement of a materialized view, as Cassandra 5's DESCRIBE prints it.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

std::string DescribeView(const TableSchema& view, bool with_internals = false);

}  // namespace widerow
