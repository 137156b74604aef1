// Types written as quoted Java classes, 'org.apache.cassandra.db.marshal.Int32Type'. Old schemas and tools that read
// Cassandra's sstables write them. The package may be left out. Pure functions, any thread.
#pragma once

#include "base/result.h"
#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow {

// Returns the type that the class stands for: list<int> for 'ListType(Int32Type)', and int for
// 'ReversedType(Int32Type)'. Errors: kSyntaxError with Cassandra's sentence for an unknown class or a bad definition;
// kInvalid for a class that Cassandra has and Widerow has not.
Result<TypePtr> ResolveClass(const TypeName& type, const SchemaSnapshot& schema);

// True for 'ReversedType(…)', which makes a clustering column descend.
bool IsReversedClass(const TypeName& type);

// Returns the class with the packages that were left out, in quotes.
std::string ClassText(const TypeName& type);

}  // namespace widerow
