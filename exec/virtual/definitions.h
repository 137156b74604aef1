// The server's own keyspaces, their tables written in CQL: those of Cassandra 5.0.9 with its columns, types and options, and
// ours. What Cassandra has and we have not is listed in docs/reference/cql-support.md; tests/data/system_columns.txt holds Cassandra's
// columns, which ours must equal.
#pragma once

#include <string_view>
#include <vector>

#include "types/schema.h"

namespace widerow {

struct KeyspaceDefinition {
  const char* name;
  // Replicated keyspaces (SimpleStrategy) have one; those of one node are LocalStrategy's.
  const char* replication_factor = nullptr;
  // Options that Cassandra gives all tables of the keyspace.
  int32_t gc_grace_seconds = 864'000;
  int32_t memtable_flush_period_in_ms = 0;
  const char* tables;  // CREATE TABLE statements.
};
extern const KeyspaceDefinition kSystemDefinition, kSystemSchemaDefinition, kSystemVirtualSchemaDefinition,
    kSystemAuthDefinition, kSystemDistributedDefinition, kSystemTracesDefinition, kSystemViewsDefinition;

// All of them as schemas; parsed once a process.
const std::vector<KeyspacePtr>& SystemKeyspaces();

}  // namespace widerow
