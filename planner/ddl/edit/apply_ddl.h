// Computes the next schema from a DDL statement and the newest schema, without side effects. exec calls ApplyDdl while
// it holds the schema lock, commits the result to storage and publishes it.
#pragma once

#include <functional>

#include "base/result.h"
#include "parser/ast.h"
#include "planner/schema_change.h"
#include "planner/system_keyspaces.h"
#include "types/schema.h"

namespace widerow {

struct DdlResult {
  SchemaPtr schema;                    // If nothing changed (IF NOT EXISTS, …), the pointer that was passed in.
  std::optional<SchemaChange> change;  // Absent if nothing changed.
  std::vector<std::string> warnings;
};

struct DdlContext {
  std::string current_keyspace;
  std::function<StorageId()> new_storage_id;
  int64_t now_micros = 0;
  bool extended = true;                         // True if the dialect has Widerow's extensions and their options.
  bool by_server = false;                       // True if the server makes its own tables: allows system keyspaces.
  std::string datacenter = kDefaultDatacenter;  // The only datacenter that replication can name.
  // For SPLIT PARTITION without a bound. Returns a bound that halves the rows of entry `index` of the partition map;
  // empty bytes if there is no such bound.
  std::function<Result<Bytes>(const TableSchema& table, size_t index)> middle_of = {};
};

// Applies any DDL statement: CREATE, ALTER and DROP of keyspaces, tables, types, indexes, views and table groups. The
// errors have the form that PlanStatement describes (planner/plan.h). The code is AlreadyExists where Cassandra reports
// it, ConfigError for a wrong replication or option, and otherwise Invalid.
Result<DdlResult> ApplyDdl(const Statement& statement, const SchemaPtr& schema, const DdlContext& context);

// Returns the schema after TRUNCATE: the table, its indexes and its views get new storage ids.
SchemaPtr ApplyTruncate(const SchemaPtr& schema, const TableSchema& table,
                        const std::function<StorageId()>& new_storage_id);

}  // namespace widerow
