// What a schema change does to permissions: who makes a keyspace or a table gets all there are on it, and those on what is
// dropped go with it, so that a table made later under the same name is nobody else's.
#pragma once

#include "types/access.h"
#include "types/schema.h"

namespace widerow {

// `after` with the catalog of roles that belongs to it. `creator`: a role, or empty.
SchemaPtr WithSchemaGrants(const SchemaSnapshot& before, const SchemaPtr& after, const std::string& creator);

}  // namespace widerow
