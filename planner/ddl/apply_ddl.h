// DDL as a pure function: statement + schema → the next schema. exec holds the schema lock, calls this with the newest
// snapshot, commits the result to storage and publishes it.
#pragma once

#include <functional>

#include "base/result.h"
#include "parser/ast.h"
#include "types/schema.h"

namespace widerow {

// What drivers are told: native protocol v4 section 4.2.5.5.
struct SchemaChange {
  enum class Kind : uint8_t { kCreated, kUpdated, kDropped };
  enum class Target : uint8_t { kKeyspace, kTable, kType, kFunction, kAggregate };
  Kind kind = Kind::kCreated;
  Target target = Target::kKeyspace;
  std::string keyspace, name;  // name empty for keyspaces.
};

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

// Keyspaces that the server makes itself. Of two of them Cassandra stores nothing, not even the schema: system_views and
// system_virtual_schema. Drivers find those in system_virtual_schema, all others in system_schema.
bool IsSystemKeyspace(std::string_view name);
bool IsVirtualKeyspace(std::string_view name);

// CREATE statements that recreate what they describe, as Cassandra 5's DESCRIBE prints them. Of virtual keyspaces and tables:
// a comment that shows what they look like.
std::string DescribeKeyspace(const KeyspaceSchema& keyspace);
std::string DescribeTable(const TableSchema& table, bool with_internals = false);
std::string DescribeType(const Type& udt);
std::string DescribeIndex(const TableSchema& table, const IndexSchema& index);
// "v", "keys(m)": what of the table the index is of.
std::string IndexTargetText(const TableSchema& table, const IndexSchema& index);

// A written type with UDTs looked up in `keyspace` (and its own qualifier). "Unknown type ks.x" and kin.
Result<TypePtr> ResolveType(const TypeName& name, const SchemaSnapshot& schema, const std::string& keyspace);

}  // namespace widerow
