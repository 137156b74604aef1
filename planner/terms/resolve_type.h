// Resolves written types: looks up the names of user-defined types in a schema.
#pragma once

#include "base/result.h"
#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow {

// Looks up UDTs in `keyspace`, or in the keyspace that they are qualified with. Errors: "Unknown type ks.x" and similar
// sentences.
Result<TypePtr> ResolveType(const TypeName& name, const SchemaSnapshot& schema, const std::string& keyspace);

}  // namespace widerow
