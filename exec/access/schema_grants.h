// The effect of a schema change on permissions. The creator of a keyspace or a table gets all permissions on it.
// Permissions on dropped keyspaces and tables are removed, so that a later table with the same name starts without any.
#pragma once

#include "types/access.h"
#include "types/schema.h"

namespace widerow {

// Returns `after` with the catalog of roles that follows from the change. `creator` is the role that makes the change
// (Actor::owner); empty: no role gets permissions.
SchemaPtr WithSchemaGrants(const SchemaSnapshot& before, const SchemaPtr& after, const std::string& creator);

}  // namespace widerow
