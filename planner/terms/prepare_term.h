// Turns written terms without columns into expressions of a required type, with Cassandra's type checks and sentences.
// Constant terms become constants in native bytes.
#pragma once

#include <functional>

#include "planner/function.h"
#include "planner/terms/planning.h"

namespace widerow {

// Prepares `term` as a value for `receiver` (of VALUES, SET, WHERE, LIMIT, …). kInvalid if it does not fit.
Result<Expression> PrepareTerm(const Term& term, const Receiver& receiver, Planning& planning);

// Prepares the value of `column = term` in SET, and of a column outside of the key in VALUES. As in Cassandra, a tuple
// cannot be the value of a user-defined type there.
Result<Expression> PrepareAssigned(const Term& term, const ColumnSchema& column, Planning& planning);

// Prepares a constant as a value of `receiver`.
Result<Expression> PrepareLiteral(const Literal& literal, SourceRange range, const Receiver& receiver);

// Prepare list, set, map, tuple, UDT and vector literals.
Result<Expression> PrepareList(const ListTerm& list, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareSet(const SetTerm& set, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareMap(const MapTerm& map, SourceRange range, const Receiver& receiver, Planning& planning);
Result<Expression> PrepareTuple(const TupleTerm& tuple, SourceRange range, const Receiver& receiver,
                                Planning& planning);
Result<Expression> PrepareUdt(const UdtTerm& udt, SourceRange range, const Receiver& receiver, Planning& planning);

// Evaluates a pure expression whose parts are all constants; returns other expressions unchanged.
Result<Expression> Fold(Expression expression);

// PrepareCall prepares the arguments of a call by these rules. Values and selectors have different ones.
struct ArgumentRules {
  // Prepares the argument if its type is known without the function (columns, calls); else returns nullopt. Outside of
  // selections, returns a placeholder of the right type for a term with a type hint.
  std::function<Result<std::optional<Expression>>(const Term&)> prepare_typed;
  // Prepares an argument without a type of its own for the parameter's type; nullopt if it does not fit.
  std::function<Result<std::optional<Expression>>(const Term&, const Receiver& parameter)> prepare_untyped;
  // Returns the bind marker name of an argument: "arg0(system.f)" or "[selection]".
  std::function<std::string(const std::string& function_name, size_t argument)> marker_name;
  // Says how well an argument without a type of its own fits a parameter.
  std::function<ArgumentMatch(const Term&, const TypePtr& parameter)> test;
  bool in_selection = false;
};

// Prepares a call of a native function. `receiver_type` (may be null) helps to choose among overloads.
Result<Expression> PrepareCall(const FunctionCall& call, SourceRange range, const TypePtr& receiver_type,
                               const ArgumentRules& rules, Planning& planning);

// Turn operators and CAST into function calls: a + b is "_add"(a, b), CAST(x AS int) is cast_as_int(x).
FunctionCall CallOf(const Arithmetic& arithmetic, SourceRange range);
FunctionCall CallOf(const CastTerm& cast, SourceRange range);
std::string CastFunctionName(const CastTerm& cast);
std::string OperationFunctionName(ArithmeticOp op);
// Removes parentheses that only group.
const Term& Ungrouped(const Term& term);

// Says how well the result of a call fits `type`. If the overload cannot be chosen yet, the result is kWeak.
ArgumentMatch MatchCall(const FunctionCall& call, SourceRange range, const TypePtr& type, const ArgumentRules& rules,
                        Planning& planning);

}  // namespace widerow
