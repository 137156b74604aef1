// Prints schemas as CREATE statements. Pure functions, any thread.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

// Return the CREATE statements that recreate the object, as Cassandra 5's DESCRIBE prints them. For virtual keyspaces
// and tables: a comment that shows their form.
std::string DescribeKeyspace(const KeyspaceSchema& keyspace);
std::string DescribeTable(const TableSchema& table, bool with_internals = false);
std::string DescribeType(const Type& udt);
std::string DescribeIndex(const TableSchema& table, const IndexSchema& index);
// Returns the indexed part of the table: "v", "keys(m)".
std::string IndexTargetText(const TableSchema& table, const IndexSchema& index);

}  // namespace widerow
