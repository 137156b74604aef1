// Terms that hold no columns, as written, to expressions of a wanted type: Cassandra's type checks and sentences. What
// is constant comes out as a constant in native bytes.
#pragma once

#include <functional>

#include "planner/function.h"
#include "planner/terms/planning.h"

namespace widerow {

// `term` as a value for `receiver`: of VALUES, SET, WHERE, LIMIT, …. kInvalid if it cannot be one.
Result<Expression> PrepareTerm(const Term& term, const Receiver& receiver, Planning& planning);

// A constant as a value of `receiver`.
Result<Expression> PrepareLiteral(const Literal& literal, SourceRange range, const Receiver& receiver);

// List, set, map, tuple, UDT and vector literals.
Result<Expression> PrepareList(const ListTerm& list, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareSet(const SetTerm& set, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareMap(const MapTerm& map, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareTuple(const TupleTerm& tuple, SourceRange range, const Receiver& receiver,
                                Planning& planning);
Result<Expression> PrepareUdt(const UdtTerm& udt, SourceRange range, const Receiver& receiver, Planning& planning);

// A constant if all parts of a pure expression are constants, else the expression itself.
Result<Expression> Fold(Expression expression);

// How the arguments of a call are prepared; values and selectors differ.
struct ArgumentRules {
  // The argument, if its type is known without looking at the function (columns, calls, hinted terms); else nothing.
  std::function<Result<std::optional<Expression>>(const Term&)> prepare_typed;
  // The bind marker name of an argument: "arg0(system.f)" or "[selection]".
  std::function<std::string(const std::string& function_name, size_t argument)> marker_name;
  // How well an argument without a type of its own fits a parameter, if that takes more than a look: arithmetic.
  std::function<ArgumentMatch(const Term&, const TypePtr& parameter)> test = {};
  bool in_selection = false;
};

// A call of a native function. `receiver_type` (may be null) helps to choose among overloads.
Result<Expression> PrepareCall(const FunctionCall& call, SourceRange range, const TypePtr& receiver_type,
                               const ArgumentRules& rules, Planning& planning);

// Operators and CAST as calls of the functions behind them: a + b is "_add"(a, b), CAST(x AS int) is cast_as_int(x).
FunctionCall CallOf(const Arithmetic& arithmetic, SourceRange range);
FunctionCall CallOf(const CastTerm& cast, SourceRange range);
std::string CastFunctionName(const CastTerm& cast);
// What stands in parentheses that only group.
const Term& Ungrouped(const Term& term);

// How well a call's result fits `type`, as far as its overloads can be told apart by what they return.
ArgumentMatch MatchCall(const FunctionCall& call, SourceRange range, const TypePtr& type, const ArgumentRules& rules,
                        Planning& planning);

}  // namespace widerow
