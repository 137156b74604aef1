// GET /v1/schema: the schema as JSON (docs/reference/http.md).
#pragma once

#include <string>
#include <string_view>

#include "types/schema.h"

namespace widerow {

// If `only_keyspace` is empty, returns all keyspaces.
std::string SchemaJson(const SchemaSnapshot& schema, std::string_view only_keyspace);

}  // namespace widerow
