// ResolveFunction looks up the family of the name (planner/functions/registry.h). A family with a factory makes a
// function for the arguments. Otherwise the overloads whose result does not fit the receiver are left out (ReturnFits).
// From the others, ResolveFunction takes the one that all arguments match exactly, or else the only one that they fit.
// Operators have a rule of their own (PickOperation). For an unknown name, the hint suggests a similar one.
#include "planner/functions/resolve_function.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "planner/functions/registry.h"
#include "planner/value_fit.h"

namespace widerow {

namespace {

using functions::Family;
using functions::FamilyMap;

using Match = ArgumentMatch;

const FamilyMap& Families() {
  static const FamilyMap families = [] {
    FamilyMap made;
    functions::AddMd5(made);
    functions::AddBucket(made);
    functions::AddSplice(made);
    functions::AddText(made);
    functions::AddRandom(made);
    functions::AddToken(made);
    functions::AddUuidAndTime(made);
    functions::AddWindow(made);
    functions::AddBlobConversions(made);
    functions::AddMath(made);
    functions::AddCountMinMax(made);
    functions::AddSumAvg(made);
    functions::AddOperations(made);
    functions::AddCasts(made);
    functions::AddCollections(made);
    functions::AddSimilarity(made);
    functions::AddMasks(made);
    functions::AddJson(made);
    functions::AddFloor(made);
    return made;
  }();
  return families;
}

FunctionPtr Registered(const Function& function) { return {FunctionPtr(), &function}; }

Match MatchArgument(const FunctionArgument& argument, const TypePtr& parameter_type) {
  if (argument.test) return argument.test(parameter_type);
  const Type& parameter = *parameter_type;
  if (argument.list_size && (parameter.kind == TypeKind::kVector || parameter.kind == TypeKind::kList))
    return Match::kWeak;
  if (argument.type != nullptr) {
    if (SameType(*argument.type, parameter)) return Match::kExact;
    return ValueCompatible(parameter, *argument.type) ? Match::kWeak : Match::kNone;
  }
  if (!argument.literal) return Match::kWeak;
  // As in Cassandra, a literal 0x… matches a parameter of type tinyint exactly.
  if (argument.literal->kind == Literal::Kind::kHex && parameter.kind == TypeKind::kTinyint) return Match::kExact;
  if (argument.literal->kind == Literal::Kind::kNull && parameter.kind == TypeKind::kCounter) return Match::kNone;
  const TypePtr natural = NaturalType(*argument.literal);
  if (natural != nullptr && natural->kind == parameter.kind) return Match::kExact;
  return LiteralFits(*argument.literal, parameter) ? Match::kWeak : Match::kNone;
}

Match MatchAll(const Function& function, std::span<const FunctionArgument> arguments) {
  if (function.parameters.size() != arguments.size()) return Match::kNone;
  Match all = Match::kExact;
  for (size_t i = 0; i < arguments.size(); ++i)
    all = std::min(all, MatchArgument(arguments[i], function.parameters[i]));
  return all;
}

bool ReturnFits(const Function& function, const TypePtr& receiver) {
  return receiver == nullptr || ValueCompatible(*receiver, *function.returns);
}

constexpr std::string_view kSystem = "system.";

std::string_view WithoutKeyspace(std::string_view name) {
  return name.starts_with(kSystem) ? name.substr(kSystem.size()) : name;
}

// Returns the function's name for messages. Functions that CAST and operators call are shown with their full names.
std::string CalledName(std::string_view name) {
  return OperatorOf(name) != 0 || name.starts_with("cast_as_") ? "system." + std::string(name) : std::string(name);
}

// Returns "system.sum : (varint) -> varint, system.sum : (double) -> double".
std::string Signatures(std::span<const Function* const> functions) {
  std::string out;
  for (const Function* function : functions) {
    const std::string name = QuoteIdentifier(function->name);
    out += (out.empty() ? "system." : ", system.") + name + " : (";
    for (size_t i = 0; i < function->parameters.size(); ++i) {
      out += (i == 0 ? "" : ", ") + TypeText(*function->parameters[i]);
    }
    out += ") -> " + TypeText(*function->returns);
  }
  return out;
}

// Checks the arguments of a function that has only one overload. For such a function, Cassandra's error says which
// argument is wrong.
Status CheckOnly(const Function& function, std::span<const FunctionArgument> arguments) {
  if (function.parameters.size() != arguments.size()) {
    return functions::WrongArgumentCount(function.name, function.parameters.size(), arguments.size());
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (MatchArgument(arguments[i], function.parameters[i]) != Match::kNone) continue;
    return InvalidError(StrCat("Type error: ", arguments[i].text, " cannot be passed as argument ", i,
                               " of function system.", function.name, " of type ", TypeText(*function.parameters[i])));
  }
  return OkStatus();
}

// Chooses among several fitting overloads of an operator by the receiver's type. Refuses the call if an argument is a
// bind marker, because the marker could have several types.
Result<FunctionPtr> PickOperation(char symbol, const std::vector<const Function*>& compatible,
                                  std::span<const FunctionArgument> arguments, const TypePtr& receiver) {
  if (symbol == '~')
    return InvalidError("Ambiguous negation: use type casts to disambiguate", "write the type before it: -(int) ?");
  const bool markers =
      std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) { return argument.is_marker; });
  for (const Function* function : compatible) {
    if (markers || receiver == nullptr) break;
    const auto& parameters = function->parameters;
    if (SameType(*receiver, *parameters[0]) && SameType(*receiver, *parameters[1])) return Registered(*function);
  }
  return InvalidError(StrCat("Ambiguous '", std::string(1, symbol), "' operation with args ", arguments[0].text,
                             " and ", arguments[1].text, ": use type hint to disambiguate, example '(int) ?'"));
}

Result<FunctionPtr> PickBest(std::string_view name, const std::vector<Function>& overloads,
                             std::span<const FunctionArgument> arguments, const TypePtr& receiver) {
  std::vector<const Function*> compatible;
  for (const Function& function : overloads) {
    if (!ReturnFits(function, receiver)) continue;
    const Match match = MatchAll(function, arguments);
    if (match == Match::kExact) return Registered(function);
    if (match == Match::kWeak) compatible.push_back(&function);
  }
  if (compatible.size() == 1) return Registered(*compatible.front());
  const char symbol = OperatorOf(name);
  if (!compatible.empty() && symbol != 0) return PickOperation(symbol, compatible, arguments, receiver);
  if (!compatible.empty()) {
    return InvalidError(StrCat("Ambiguous call to function ", CalledName(name),
                               " (can be matched by following signatures: ", Signatures(compatible),
                               "): use type casts to disambiguate"));
  }
  if (symbol != 0 && symbol != '~' && arguments.size() == 2) {
    return InvalidError(StrCat("the '", std::string(1, symbol), "' operation is not supported between ",
                               arguments[0].text, " and ", arguments[1].text));
  }
  std::vector<const Function*> known;
  for (const Function& function : overloads) known.push_back(&function);
  return InvalidError(StrCat("Invalid call to function ", CalledName(name),
                             ", none of its type signatures match (known type signatures: ", Signatures(known), ")"));
}

Result<FunctionPtr> MakeFunction(const Family& family, std::span<const FunctionArgument> arguments) {
  std::vector<FunctionArgument> typed(arguments.begin(), arguments.end());
  for (FunctionArgument& argument : typed) {
    if (argument.type != nullptr || !argument.literal) continue;
    argument.type = NaturalType(*argument.literal);
    if (argument.type->kind == TypeKind::kAscii && !family.ascii_literals) argument.type = ScalarType(TypeKind::kText);
  }
  WR_ASSIGN_OR_RETURN(Function made, family.make(typed));
  WR_RETURN_IF_ERROR(CheckOnly(made, arguments));
  return std::make_shared<const Function>(std::move(made));
}

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

Error UnknownFunction(std::string_view name) {
  std::string nearest;
  size_t least = 3;  // The hint allows at most two typing errors.
  if (name.size() <= 64) {
    for (const auto& [known, family] : Families()) {
      const size_t distance = EditDistance(name, known);
      if (distance < least && distance < known.size()) {
        least = distance;
        nearest = known;
      }
    }
  }
  return InvalidError("Unknown function '" + std::string(name) + "'",
                      nearest.empty() ? std::string() : "did you mean " + nearest + "?");
}

}  // namespace

char OperatorOf(std::string_view function_name) {
  static const std::map<std::string_view, char> kOperators = {{"_add", '+'},    {"_substract", '-'}, {"_multiply", '*'},
                                                              {"_divide", '/'}, {"_modulo", '%'},    {"_negate", '~'}};
  const auto found = kOperators.find(function_name);
  return found == kOperators.end() ? '\0' : found->second;
}

bool FunctionExists(std::string_view name) { return Families().contains(name); }

Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const FunctionArgument> arguments,
                                    const TypePtr& receiver) {
  const auto found = Families().find(WithoutKeyspace(name));
  if (found == Families().end()) return UnknownFunction(name);
  const Family& family = found->second;
  if (family.make) return MakeFunction(family, arguments);
  if (family.overloads.size() > 1) return PickBest(name, family.overloads, arguments, receiver);
  WR_RETURN_IF_ERROR(CheckOnly(family.overloads.front(), arguments));
  return Registered(family.overloads.front());
}

Result<FunctionPtr> ResolveFunction(std::string_view name, std::span<const TypePtr> arguments,
                                    const TypePtr& receiver) {
  std::vector<FunctionArgument> described;
  for (const TypePtr& type : arguments) {
    described.push_back({.type = type, .text = type == nullptr ? "?" : TypeText(*type)});
  }
  return ResolveFunction(name, std::span<const FunctionArgument>(described), receiver);
}

}  // namespace widerow
