// DDL as a pure function: statement + schema → the next schema. exec holds the schema lock, calls this with the newest
// snapshot, commits the result to storage and publishes it.
#pragma once

#include <functional>

#include "base/result.h"
#include "parser/ast.h"
#include "planner/schema_change.h"
#include "types/schema.h"

namespace widerow {

struct DdlResult {
  SchemaPtr schema;                    // The same pointer as before if nothing changed (IF NOT EXISTS, …).
  std::optional<SchemaChange> change;  // Absent if nothing changed.
  std::vector<std::string> warnings;
};

struct DdlContext {
  std::string current_keyspace;
  std::function<StorageId()> new_storage_id;
  int64_t now_micros = 0;
  bool extended = true;    // The dialect has Widerow's extensions: their options are known.
  bool by_server = false;  // The server makes its own keyspaces' tables: they are not guarded.
  // SPLIT PARTITION without a bound: the bound in the middle of the rows of entry `index`; empty if there is none.
  std::function<Result<Bytes>(const TableSchema& table, size_t index)> middle_of = {};
};

// For every Create/Alter/Drop statement of keyspaces, tables and types. Errors as PlanStatement's; AlreadyExists where
// Cassandra says so; ConfigError for bad replication or options.
Result<DdlResult> ApplyDdl(const Statement& statement, const SchemaPtr& schema, const DdlContext& context);

// The schema after TRUNCATE: the same table with a new storage id; so are its indexes and its views.
SchemaPtr ApplyTruncate(const SchemaPtr& schema, const TableSchema& table, const std::function<StorageId()>& new_storage_id);

}  // namespace widerow
