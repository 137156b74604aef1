// DDL as a pure function: statement + schema → next schema. exec holds the schema lock, calls ApplyDdl with the newest
// snapshot, commits the result to storage and publishes it.
#pragma once

#include <functional>

#include "base/result.h"
#include "parser/ast.h"
#include "planner/schema_change.h"
#include "planner/system_keyspaces.h"
#include "types/schema.h"

namespace widerow {

struct DdlResult {
  SchemaPtr schema;                    // The pointer that was passed in, if nothing changed (IF NOT EXISTS, …).
  std::optional<SchemaChange> change;  // Absent if nothing changed.
  std::vector<std::string> warnings;
};

struct DdlContext {
  std::string current_keyspace;
  std::function<StorageId()> new_storage_id;
  int64_t now_micros = 0;
  bool extended = true;                         // The dialect has Widerow's extensions and knows their options.
  bool by_server = false;                       // The server creates its own tables: system keyspaces are allowed.
  std::string datacenter = kDefaultDatacenter;  // The only one that replication can name.
  // For SPLIT PARTITION without a bound: returns a bound that halves the rows of entry `index` of the partition map;
  // empty if there is none.
  std::function<Result<Bytes>(const TableSchema& table, size_t index)> middle_of = {};
};

// Applies any DDL statement: CREATE, ALTER and DROP of keyspaces, tables, types, indexes, views and table groups.
// Errors are those of PlanStatement, AlreadyExists where Cassandra reports it, and ConfigError for bad replication or
// options.
Result<DdlResult> ApplyDdl(const Statement& statement, const SchemaPtr& schema, const DdlContext& context);

// Returns the schema after TRUNCATE: the table, its indexes and its views get new storage ids.
SchemaPtr ApplyTruncate(const SchemaPtr& schema, const TableSchema& table,
                        const std::function<StorageId()>& new_storage_id);

}  // namespace widerow
