// Written types to Types: names of user-defined types are looked up in a schema.
#pragma once

#include "base/result.h"
#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow {

// A written type with UDTs looked up in `keyspace` (and its own qualifier). "Unknown type ks.x" and kin.
Result<TypePtr> ResolveType(const TypeName& name, const SchemaSnapshot& schema, const std::string& keyspace);

}  // namespace widerow
