// Finds native functions by name: key helpers, uuid and time functions, aggregates. The registry is fixed at start-up and
// thread-safe.
#pragma once

#include "planner/function.h"

namespace widerow {

// Finds the overload of `name` (lower-case, Cassandra's old names included: dateof, blobasint, totimestamp, …) for
// arguments of these types; nullptr stands for "any" (an untyped literal or bind marker). `receiver`, if known, settles
// ambiguity by return type. Generic functions (bucket, splice, count, min, typeasblob…) are made on demand. kInvalid with Cassandra's sentences: "Unknown function 'x'", "Invalid call to function x, none of its type
// signatures match (known type signatures: …)", "Ambiguous call to function …".
Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const TypePtr> arguments,
                                        const TypePtr& receiver);

// The same with literals told apart: abs(-1) is abs(int), to_date('2020-01-01') takes a timestamp.
Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const FunctionArgument> arguments,
                                        const TypePtr& receiver);
// '+' of "_add" and so on: the functions behind operators. 0: it is none. "_negate" is '~' here, for no operator has two names.
char OperatorOf(std::string_view function_name);

// Whether there is any function of this name. Cassandra says "Unknown function x called" in terms and "Unknown function
// 'x'" (what ResolveFunction says) in selectors.
bool FunctionExists(std::string_view name);

}  // namespace widerow
