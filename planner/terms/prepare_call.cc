// PrepareCall has four steps. It prepares the arguments whose type is known (ArgumentRules::prepare_typed). It chooses
// the function by these types and by the literals; ChooseFunction has special cases for token() and from_json(). It
// checks each argument against its parameter, and prepares the other arguments. It evaluates the call if all arguments
// are constants. MatchCall only says how well the result of a call would fit a type.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "planner/functions/registry.h"
#include "planner/functions/resolve_function.h"
#include "planner/known_calls.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"
#include "planner/terms/selector_text.h"
#include "types/value_bytes.h"

namespace widerow {
namespace {

// Functions that Cassandra does not have.
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

// Fills in what is known about an argument that is not prepared yet because it has no type of its own.
void DescribeUntyped(const Term& term, const ArgumentRules& rules, FunctionArgument& argument) {
  if (const auto* literal = std::get_if<Literal>(&term.node)) {
    if (literal->kind != Literal::Kind::kNull) {
      argument.literal = *literal;
      return;
    }
    argument.text = "NULL";
    argument.test = [](const TypePtr& parameter) {
      return parameter->kind == TypeKind::kCounter ? ArgumentMatch::kNone : ArgumentMatch::kWeak;
    };
  } else if (std::holds_alternative<BindMarker>(term.node)) {
    argument.is_marker = true;
  } else if (const auto* list = std::get_if<ListTerm>(&term.node); list != nullptr && rules.in_selection) {
    // In a selection, a list of constants has a type: its elements have the type of the first one, or double if any is
    // a double.
    TypePtr element;
    for (const Term& part : list->elements) {
      const auto* value = std::get_if<Literal>(&part.node);
      const TypePtr natural = value != nullptr ? NaturalType(*value) : nullptr;
      if (natural == nullptr) return;
      if (element == nullptr || natural->kind == TypeKind::kDouble) element = natural;
    }
    if (element == nullptr) return;
    argument.type = ListType(element, true);
    argument.list_size = list->elements.size();
  } else if (rules.test) {
    argument.test = [&term, &rules](const TypePtr& parameter) { return rules.test(term, parameter); };
  }
}

Result<FunctionPtr> Resolve(const FunctionCall& call, const std::vector<std::optional<Expression>>& typed,
                            const TypePtr& receiver_type, const ArgumentRules& rules, const Planning& planning) {
  std::vector<FunctionArgument> arguments;
  for (size_t i = 0; i < typed.size(); ++i) {
    const Term& term = Ungrouped(call.arguments[i]);
    FunctionArgument& argument = arguments.emplace_back();
    argument.text =
        rules.in_selection ? SelectorText(call.arguments[i], planning) : TermText(call.arguments[i], planning);
    if (typed[i]) {
      argument.type = typed[i]->type;
      argument.fixed_width = FixedWidth(*typed[i]).has_value();
      if (const auto* list = std::get_if<ListTerm>(&term.node)) argument.list_size = list->elements.size();
    } else {
      DescribeUntyped(term, rules, argument);
    }
  }
  return ResolveFunction(QualifiedText(call.name), arguments, receiver_type);
}

bool IsFromJson(std::string_view name) { return name == "from_json" || name == "fromjson"; }

// Returns the type of a constant, of a set whose first element is a constant, or of a map whose first key and first
// value are constants; else null.
TypePtr TypeOfConstants(const Term& term) {
  const auto natural = [](const Term& part) {
    const auto* literal = std::get_if<Literal>(&part.node);
    return literal != nullptr ? NaturalType(*literal) : nullptr;
  };
  if (const auto* set = std::get_if<SetTerm>(&term.node)) {
    const TypePtr element = set->elements.empty() ? nullptr : natural(set->elements[0]);
    return element == nullptr ? nullptr : SetType(element, true);
  }
  const auto* map = std::get_if<MapTerm>(&term.node);
  if (map == nullptr) return natural(term);
  const TypePtr key = natural(map->keys[0]), value = natural(map->values[0]);
  return key == nullptr || value == nullptr ? nullptr : MapType(key, value, true);
}

// Chooses from_json, which makes a value of the receiver's type from a text.
Result<FunctionPtr> ResolveFromJson(const FunctionCall& call, const std::vector<std::optional<Expression>>& typed,
                                    const TypePtr& receiver_type, const Planning& planning) {
  const std::string name = "system." + call.name.name.text;
  if (call.arguments.size() != 1)
    return InvalidError(StrCat("Invalid number of arguments for function ", name, "(text)"));
  const Term& term = Ungrouped(call.arguments[0]);
  if (std::holds_alternative<ListTerm>(term.node)) return Misfit(term, ScalarType(TypeKind::kText), {}, planning);
  const TypePtr found = typed[0] ? typed[0]->type : TypeOfConstants(term);
  if (found != nullptr && found->kind != TypeKind::kText && found->kind != TypeKind::kAscii) {
    return InvalidError(StrCat("Function ", name, " requires an argument of type text, but found argument ",
                               TermText(term, planning), " of type ", TypeText(*found)));
  }
  return std::make_shared<const Function>(functions::FromJsonTo(receiver_type));
}

// Chooses token(…), whose arguments have the types of the partition key's columns.
Result<FunctionPtr> ResolveToken(const FunctionCall& call, SourceRange range, const TableSchema& table) {
  if (call.arguments.size() != table.partition_key_size) {
    return InvalidAt(range, StrCat("Invalid number of arguments in call to function system.token: ",
                                   table.partition_key_size, " required but ", call.arguments.size(), " provided"));
  }
  std::vector<TypePtr> types;
  for (size_t i = 0; i < table.partition_key_size; ++i) types.push_back(table.partition_key(i).type);
  return ResolveFunction("token", types, ScalarType(TypeKind::kBigint));
}

Error ArgumentMisfit(const Term& term, size_t argument, const std::string& function, const Type& type,
                     const ArgumentRules& rules, const Planning& planning) {
  const std::string text = rules.in_selection ? SelectorText(term, planning) : TermText(term, planning);
  return InvalidAt(term.range, StrCat("Type error: ", text, " cannot be passed as argument ", argument, " of function ",
                                      function, " of type ", TypeText(type)));
}

Result<FunctionPtr> ChooseFunction(const FunctionCall& call, SourceRange range,
                                   const std::vector<std::optional<Expression>>& typed, const TypePtr& receiver_type,
                                   const ArgumentRules& rules, const Planning& planning) {
  const std::string& name = call.name.name.text;
  if ((call.name.keyspace && call.name.keyspace->text != "system") || !FunctionExists(name) ||
      (IsKeyHelper(name) && !planning.extended())) {
    return UnknownFunction(call, rules.in_selection);
  }
  const bool from_json = IsFromJson(name) && !rules.in_selection && receiver_type != nullptr;
  Result<FunctionPtr> function = name == "token" && planning.table != nullptr
                                     ? ResolveToken(call, range, *planning.table)
                                 : from_json ? ResolveFromJson(call, typed, receiver_type, planning)
                                             : Resolve(call, typed, receiver_type, rules, planning);
  if (!function.ok()) {
    Error error = std::move(function).error();
    if (!error.range) error.range = range;
    return error;
  }
  return function;
}

Status CheckReturned(const Function& function, ByteView returned) {
  if (ValidateValue(*function.returns, returned).ok()) return OkStatus();
  std::string parameters;
  for (const TypePtr& parameter : function.parameters)
    parameters += (parameters.empty() ? "" : ", ") + TypeText(*parameter);
  const std::string type = TypeText(*function.returns);
  return InvalidError(StrCat("Return of function system.", function.name, " : (", parameters, ") -> ", type, " (",
                             ToHex(returned), ") is not a valid value for its declared return type ", type));
}

// Returns the function with a check of its result, which Cassandra makes in terms but not in selectors. The check is
// for min_timeuuid and max_timeuuid, which may return a UUID of another version.
FunctionPtr Checked(const FunctionPtr& function) {
  if (function->returns->kind != TypeKind::kTimeuuid || function->is_aggregate()) return function;
  Function checked = *function;
  checked.body = [function](const FunctionContext& context, std::span<const ValueView> values) -> Result<Value> {
    WR_ASSIGN_OR_RETURN(Value value, function->body(context, values));
    if (value) WR_RETURN_IF_ERROR(CheckReturned(*function, *value));
    return value;
  };
  return std::make_shared<const Function>(std::move(checked));
}

}  // namespace

Result<Expression> PrepareCall(const FunctionCall& call, SourceRange range, const TypePtr& receiver_type,
                               const ArgumentRules& rules, Planning& planning) {
  std::vector<std::optional<Expression>> typed;
  for (const Term& argument : call.arguments) {
    WR_ASSIGN_OR_RETURN(typed.emplace_back(), rules.prepare_typed(Ungrouped(argument)));
  }
  WR_ASSIGN_OR_RETURN(FunctionPtr function, ChooseFunction(call, range, typed, receiver_type, rules, planning));
  if (function->is_aggregate() && !rules.in_selection) {
    return InvalidAt(range, "Aggregation function are not supported in the where clause");
  }
  const std::string& written = call.name.name.text;
  if (IsKeyHelper(written)) planning.UseExtension(written + "()");
  const std::string name = "system." + (IsFromJson(written) ? function->name : written);
  // The parser turns count(*) into a CountStar, not into a call. So a call of count() must have one argument.
  const size_t required = written == "count" ? 1 : function->parameters.size();
  if (required != call.arguments.size()) {
    return InvalidAt(range, StrCat("Invalid number of arguments in call to function ", name, ": ", required,
                                   " required but ", call.arguments.size(), " provided"));
  }
  CallExpression result{.function = rules.in_selection ? function : Checked(function), .arguments = {}};
  for (size_t i = 0; i < typed.size(); ++i) {
    const TypePtr& parameter = function->parameters[i];
    const Term& argument = Ungrouped(call.arguments[i]);
    const auto misfit = [&] { return ArgumentMisfit(call.arguments[i], i, name, *parameter, rules, planning); };
    // A list literal may be the value of a vector.
    const bool as_vector = std::holds_alternative<ListTerm>(argument.node) && parameter->kind == TypeKind::kVector;
    if (as_vector && !rules.in_selection && !Assignable(argument, parameter, planning)) return misfit();
    if (typed[i] && !as_vector) {
      if (!ValueCompatible(*parameter, *typed[i]->type)) return misfit();
      if (std::holds_alternative<TypeHint>(argument.node) && !rules.in_selection) {
        // As in Cassandra, the operand of the hint is read as a value of the parameter's type, not of the hint's.
        WR_ASSIGN_OR_RETURN(typed[i], PrepareTerm(argument, {rules.marker_name(name, i), parameter}, planning));
      }
      result.arguments.push_back(std::move(*typed[i]));
      continue;
    }
    WR_ASSIGN_OR_RETURN(std::optional<Expression> prepared,
                        rules.prepare_untyped(argument, {rules.marker_name(name, i), parameter}));
    if (!prepared) return misfit();
    result.arguments.push_back(std::move(*prepared));
  }
  Expression made{std::move(result), function->returns, range};
  Result<Expression> folded = Fold(made);
  // A call that fails on its constants fails when the statement runs, not when it is prepared.
  if (!folded.ok() && folded.error().code == ErrorCode::kFunctionFailure) return made;
  return folded;
}

FunctionCall CallOf(const Arithmetic& arithmetic, SourceRange range) {
  FunctionCall call;
  call.name.name.text = OperationFunctionName(arithmetic.op);
  call.name.name.range = call.name.range = range;
  for (const Term& operand : arithmetic.operands) call.arguments.push_back(operand);
  return call;
}

FunctionCall CallOf(const CastTerm& cast, SourceRange range) {
  FunctionCall call;
  call.name.keyspace = Identifier{.text = "system", .quoted = false, .range = range};
  call.name.name.text = CastFunctionName(cast);
  call.name.name.range = call.name.range = range;
  call.arguments.push_back(Ungrouped(cast.operand[0]));
  return call;
}

std::string OperationFunctionName(ArithmeticOp op) {
  static constexpr const char* kNames[] = {"_add", "_substract", "_multiply", "_divide", "_modulo", "_negate"};
  return kNames[static_cast<size_t>(op)];
}

std::string CastFunctionName(const CastTerm& cast) { return "cast_as_" + cast.type.name.name.text; }

const Term& Ungrouped(const Term& term) {
  const auto* tuple = std::get_if<TupleTerm>(&term.node);
  return tuple != nullptr && tuple->elements.size() == 1 ? Ungrouped(tuple->elements[0]) : term;
}

ArgumentMatch MatchCall(const FunctionCall& call, SourceRange range, const TypePtr& type, const ArgumentRules& rules,
                        Planning& planning) {
  std::vector<std::optional<Expression>> typed;
  for (const Term& argument : call.arguments) {
    Result<std::optional<Expression>> prepared = rules.prepare_typed(Ungrouped(argument));
    if (!prepared.ok()) return ArgumentMatch::kWeak;
    typed.push_back(std::move(prepared).value());
  }
  const Result<FunctionPtr> function = ChooseFunction(call, range, typed, type, rules, planning);
  if (!function.ok()) return ArgumentMatch::kWeak;  // The error is reported when the call is prepared.
  if (SameType(*type, *(*function)->returns)) return ArgumentMatch::kExact;
  return ValueCompatible(*type, *(*function)->returns) ? ArgumentMatch::kWeak : ArgumentMatch::kNone;
}

}  // namespace widerow
