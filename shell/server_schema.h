// Builds a schema from the answer of GET /v1/schema, as far as the shell needs it: names, kinds and types of keyspaces,
// tables, columns and user-defined types.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "types/schema.h"

namespace widerow {

Result<SchemaPtr> ParseServerSchema(std::string_view json);

// Parses a type as the server prints it. UDTs are looked up in `keyspace` first, then in all keyspaces.
Result<TypePtr> ResolveServerType(std::string_view text, const SchemaSnapshot& schema, const std::string& keyspace);

}  // namespace widerow
