// Facts about a written type that need no look-up of names.
#pragma once

#include <string>

#include "parser/ast_term.h"
#include "types/type.h"

namespace widerow {

enum class RawKind : uint8_t { kFrozen, kCollection, kTuple, kVector, kScalar, kCustom, kUdt };

RawKind KindOf(const TypeName& type);
bool IsScalar(const TypeName& type, TypeKind kind);
// Returns the type as written, but with UDTs qualified: frozen<ks.address>.
std::string QualifiedTypeText(const TypeName& type, const std::string& keyspace);

}  // namespace widerow
