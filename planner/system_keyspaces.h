// The keyspaces that the server itself creates. Pure functions, any thread.
#pragma once

#include <string_view>

namespace widerow {

// The name of the server's datacenter, unless an option gives it another one.
inline constexpr const char* kDefaultDatacenter = "datacenter1";

// A local system keyspace belongs to one node only. Replicated system keyspaces are those that Cassandra replicates:
// system_auth, system_distributed and system_traces.
bool IsLocalSystemKeyspace(std::string_view name);
bool IsReplicatedSystemKeyspace(std::string_view name);
// True for local and for replicated system keyspaces.
bool IsSystemKeyspace(std::string_view name);
// True for system_views and system_virtual_schema, of which Cassandra stores nothing, not even the schema. Drivers find
// these two in system_virtual_schema and all other keyspaces in system_schema.
bool IsVirtualKeyspace(std::string_view name);

}  // namespace widerow
