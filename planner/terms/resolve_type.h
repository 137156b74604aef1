// Resolves written types: looks up the names of user-defined types in a schema.
#pragma once

#include "base/result.h"
#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow {

// Returns the type. Names of UDTs without a keyspace are looked up in `keyspace`. Errors: "Unknown type ks.x" and
// similar sentences.
Result<TypePtr> ResolveType(const TypeName& name, const SchemaSnapshot& schema, const std::string& keyspace);

}  // namespace widerow
