// The keyspaces that the server itself makes.
#pragma once

#include <string_view>

namespace widerow {

// Keyspaces of this node alone, and keyspaces that Cassandra replicates (system_auth, system_distributed, system_traces).
bool IsLocalSystemKeyspace(std::string_view name);
bool IsReplicatedSystemKeyspace(std::string_view name);
// Either of them.
bool IsSystemKeyspace(std::string_view name);
// system_views and system_virtual_schema: Cassandra stores nothing of them, not even the schema. Drivers find these two in
// system_virtual_schema, all other keyspaces in system_schema.
bool IsVirtualKeyspace(std::string_view name);

}  // namespace widerow
