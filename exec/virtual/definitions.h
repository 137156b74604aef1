// The keyspaces of the server itself. Their tables are written in CQL: the tables of Cassandra 5.0.9 with the same
// columns, types and options, and Widerow's own tables. docs/reference/cql-support.md lists the tables of Cassandra
// that are missing. tests/data/system_columns.txt holds Cassandra's columns; the columns here must be equal to them.
#pragma once

#include <string_view>
#include <vector>

#include "types/schema.h"

namespace widerow {

struct KeyspaceDefinition {
  const char* name;
  // Set for replicated keyspaces (SimpleStrategy); null: LocalStrategy.
  const char* replication_factor = nullptr;
  // The options that Cassandra gives to all tables of the keyspace.
  int32_t gc_grace_seconds = 864'000;
  int32_t memtable_flush_period_in_ms = 0;
  const char* tables;  // CREATE TABLE statements.
};
extern const KeyspaceDefinition kSystemDefinition, kSystemSchemaDefinition, kSystemVirtualSchemaDefinition,
    kSystemAuthDefinition, kSystemDistributedDefinition, kSystemTracesDefinition, kSystemViewsDefinition;

// Returns the schemas of these keyspaces. Their statements are parsed once per process.
const std::vector<KeyspacePtr>& SystemKeyspaces();

}  // namespace widerow
