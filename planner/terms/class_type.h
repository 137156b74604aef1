// Finds the types that quoted Java classes stand for (parser/java_class.h). Pure functions, any thread.
#pragma once

#include "base/result.h"
#include "parser/ast_term.h"
#include "types/schema.h"

namespace widerow {

// Returns the type that the class stands for: list<int> for 'ListType(Int32Type)', and int for
// 'ReversedType(Int32Type)'. The parser has checked the class. Errors: kInvalid for a class that Cassandra has and
// Widerow has not, and for an absent user-defined type.
Result<TypePtr> ResolveClass(const TypeName& type, const SchemaSnapshot& schema);

// True for 'ReversedType(…)', which makes a clustering column descend.
bool IsReversedClass(const TypeName& type);

// Returns the text of the class in quotes, with the Java packages that the statement leaves out.
std::string ClassText(const TypeName& type);

}  // namespace widerow
