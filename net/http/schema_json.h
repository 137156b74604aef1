// GET /v1/schema: the schema as JSON (docs/reference/http.md).
#pragma once

#include <string>
#include <string_view>

#include "types/schema.h"

namespace widerow {

// Returns the schema of one keyspace; of all keyspaces if `only_keyspace` is empty.
std::string SchemaJson(const SchemaSnapshot& schema, std::string_view only_keyspace);

}  // namespace widerow
