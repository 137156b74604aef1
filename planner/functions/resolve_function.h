// Finds native functions by name: key helpers, uuid and time functions, aggregates, …. The registry is fixed at
// start-up; any thread may call the functions of this file.
#pragma once

#include "planner/function.h"

namespace widerow {

// Returns the overload of `name` for arguments of these types.
//   - `name` is lower-case, with or without "system.". Messages show it as it is given. Cassandra's old names (dateof,
//     blobasint, totimestamp, …) work too.
//   - The type of a literal or bind marker may be nullptr, which means that it is not known.
//   - `receiver` is the type that the result must have, or nullptr. Overloads with another result are left out.
// Errors are kInvalid with Cassandra's sentences: "Unknown function 'x'", "Invalid call to function x, none of its type
// signatures match (known type signatures: …)", "Ambiguous call to function …".
Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const TypePtr> arguments, const TypePtr& receiver);

// Like the function above, but also examines literals: abs(-1) calls abs(int), and to_date('2020-01-01') calls
// to_date(timestamp).
Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const FunctionArgument> arguments,
                                    const TypePtr& receiver);
// Returns the operator that calls a function: '+' for "_add". Returns '~' for "_negate", so that every result is
// unique, and 0 for other functions.
char OperatorOf(std::string_view function_name);

// True if there is a function of this name. Cassandra says "Unknown function x called" in terms and "Unknown function
// 'x'" (the sentence of ResolveFunction) in selectors.
bool FunctionExists(std::string_view name);

}  // namespace widerow
