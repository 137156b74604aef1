// Schemas as CREATE statements.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

// CREATE statements that recreate what they describe, as Cassandra 5's DESCRIBE prints them. Of virtual keyspaces and tables:
// a comment that shows what they look like.
std::string DescribeKeyspace(const KeyspaceSchema& keyspace);
std::string DescribeTable(const TableSchema& table, bool with_internals = false);
std::string DescribeType(const Type& udt);
std::string DescribeIndex(const TableSchema& table, const IndexSchema& index);
// "v", "keys(m)": what of the table the index is of.
std::string IndexTargetText(const TableSchema& table, const IndexSchema& index);

}  // namespace widerow
