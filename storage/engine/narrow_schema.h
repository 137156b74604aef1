// The schema of a restore of one keyspace or table.
#pragma once

#include <string>

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

// Returns a schema with this keyspace only, without roles. If `table` is not empty, it has only this table of the
// keyspace, and the table's materialized views. kInvalid if there is no such keyspace or table, or the table is a view.
Result<SchemaPtr> NarrowSchema(const SchemaSnapshot& schema, const std::string& keyspace, const std::string& table);

}  // namespace widerow
