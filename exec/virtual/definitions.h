// The server's own keyspaces, with their tables written in CQL: those of Cassandra 5.0.9 with its columns, types and
// options, and Widerow's own. docs/reference/cql-support.md lists the tables of Cassandra that are missing.
// tests/data/system_columns.txt holds Cassandra's columns, which these must equal.
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
