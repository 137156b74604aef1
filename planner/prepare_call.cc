#include <algorithm>
#include <array>

#include "planner/assignable.h"
#include "planner/function.h"
#include "planner/prepare_term.h"

namespace widerow {
namespace {

// Functions Cassandra does not have.
constexpr std::array<std::string_view, 10> kKeyHelpers = {"md5",       "hash_prefix", "bucket", "reverse", "substr",
                                                          "substring", "zero_pad",    "splice", "random",  "window"};

bool IsKeyHelper(std::string_view name) {
  return std::find(kKeyHelpers.begin(), kKeyHelpers.end(), name) != kKeyHelpers.end();
}

std::string QualifiedText(const QualifiedName& name) {
  return name.keyspace ? name.keyspace->text + "." + name.name.text : name.name.text;
}

Error UnknownFunction(const FunctionCall& call, bool in_selection) {
  const std::string name = QualifiedText(call.name);
  return InvalidAt(call.name.range,
                   in_selection ? "Unknown function '" + name + "'" : "Unknown function " + name + " called");
}

Result<const Function*> Resolve(const FunctionCall& call, const std::vector<std::optional<Expression>>& typed,
                                const TypePtr& receiver_type) {
  std::vector<FunctionArgument> arguments;
  for (size_t i = 0; i < typed.size(); ++i) {
    const Term& term = call.arguments[i];
    FunctionArgument& argument = arguments.emplace_back();
    argument.text = TermText(term);
    if (typed[i]) {
      argument.type = typed[i]->type;
    } else if (const auto* literal = std::get_if<Literal>(&term.node);
               literal && literal->kind != Literal::Kind::kNull) {
      argument.literal = *literal;
    }
  }
  return ResolveFunction(call.name.name.text, arguments, receiver_type);
}

// token(…) takes the partition key's columns, whatever their types.
Result<const Function*> ResolveToken(const FunctionCall& call, SourceRange range, const TableSchema& table) {
  if (call.arguments.size() != table.partition_key_size) {
    return InvalidAt(range, "Invalid number of arguments in call to function system.token: " +
                                std::to_string(table.partition_key_size) + " required but " +
                                std::to_string(call.arguments.size()) + " provided");
  }
  std::vector<TypePtr> types;
  for (size_t i = 0; i < table.partition_key_size; ++i) types.push_back(table.partition_key(i).type);
  return ResolveFunction("token", types, ScalarType(TypeKind::kBigint));
}

Error ArgumentMisfit(const Term& term, size_t argument, const std::string& function, const Type& type) {
  return InvalidAt(term.range, "Type error: " + TermText(term) + " cannot be passed as argument " +
                                   std::to_string(argument) + " of function " + function + " of type " +
                                   TypeText(type));
}

Result<const Function*> ChooseFunction(const FunctionCall& call, SourceRange range,
                                       const std::vector<std::optional<Expression>>& typed,
                                       const TypePtr& receiver_type, bool in_selection, const Planning& planning) {
  const std::string& name = call.name.name.text;
  if ((call.name.keyspace && call.name.keyspace->text != "system") || !FunctionExists(name) ||
      (IsKeyHelper(name) && !planning.extended())) {
    return UnknownFunction(call, in_selection);
  }
  Result<const Function*> function = name == "token" && planning.table != nullptr
                                         ? ResolveToken(call, range, *planning.table)
                                         : Resolve(call, typed, receiver_type);
  if (!function.ok()) {
    Error error = std::move(function).error();
    if (!error.range) error.range = range;
    return error;
  }
  return function;
}

}  // namespace

Result<Expression> PrepareCall(const FunctionCall& call, SourceRange range, const TypePtr& receiver_type,
                               const ArgumentRules& rules, Planning& planning) {
  std::vector<std::optional<Expression>> typed;
  for (const Term& argument : call.arguments) {
    WR_ASSIGN_OR_RETURN(typed.emplace_back(), rules.prepare_typed(argument));
  }
  WR_ASSIGN_OR_RETURN(const Function* function,
                      ChooseFunction(call, range, typed, receiver_type, rules.in_selection, planning));
  if (function->is_aggregate() && !rules.in_selection) {
    return InvalidAt(range, "Aggregation function are not supported in the where clause");
  }
  const std::string& written = call.name.name.text;
  if (IsKeyHelper(written)) planning.UseExtension(written + "()");
  const std::string name = "system." + written;
  // count(*) is no call of count().
  const size_t required = written == "count" ? 1 : function->parameters.size();
  if (required != call.arguments.size()) {
    return InvalidAt(range, "Invalid number of arguments in call to function " + name + ": " +
                                std::to_string(required) + " required but " +
                                std::to_string(call.arguments.size()) + " provided");
  }
  CallExpression result{.function = function, .arguments = {}};
  for (size_t i = 0; i < typed.size(); ++i) {
    const TypePtr& parameter = function->parameters[i];
    const Term& argument = call.arguments[i];
    if (typed[i]) {
      if (!ValueCompatible(*parameter, *typed[i]->type)) return ArgumentMisfit(argument, i, name, *parameter);
      result.arguments.push_back(std::move(*typed[i]));
      continue;
    }
    if (!Assignable(argument, parameter, planning)) return ArgumentMisfit(argument, i, name, *parameter);
    WR_ASSIGN_OR_RETURN(Expression prepared, PrepareTerm(argument, {rules.marker_name(name, i), parameter}, planning));
    result.arguments.push_back(std::move(prepared));
  }
  return Fold({std::move(result), function->returns, range});
}

}  // namespace widerow
