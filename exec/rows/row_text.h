// Rows and values as CQL text, for messages. Long values are cut.
#pragma once

#include <string>

#include "types/schema.h"

namespace widerow {

// Returns "v = 'x'", or "'x' in v" if `part` is a part of a collection. `literal` is a CQL literal.
std::string ColumnText(const ColumnSchema& column, std::string literal, bool part);
// Returns the key of a row as conditions: "k = 1 AND c = 'x'". `partition_key` is in stored form, `clustering` is
// encoded; if `clustering` is empty, only the partition key is returned.
std::string KeyConditionText(const TableSchema& table, ByteView partition_key, ByteView clustering);

}  // namespace widerow
