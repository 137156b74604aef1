#include <algorithm>
#include <array>
#include <charconv>

#include "parser/builder.h"
#include "parser/java_class.h"
#include "parser/narrow.h"
#include "parser/print.h"
#include "types/type.h"

namespace widerow {
namespace {

// Cassandra reserves these names for future types.
constexpr std::array<std::string_view, 6> kReservedTypeNames = {"byte",     "complex", "enum",
                                                                "interval", "macaddr", "bitstring"};

// The number of arguments in <> that the name of a type takes: 2 for map, for example. 0 for scalars and UDTs.
struct ArgumentCount {
  size_t least = 0, most = 0;
};
ArgumentCount ArgumentsOf(const TypeName& type) {
  const std::string& name = type.name.name.text;
  if (type.name.keyspace || type.name.name.quoted) return {};
  if (name == "list" || name == "set" || name == "frozen" || name == "vector") return {1, 1};
  if (name == "map") return {2, 2};
  if (name == "tuple") return {1, SIZE_MAX};
  return {};
}

}  // namespace

QualifiedName AstBuilder::BuildTypeName(Parser::TypeNameContext* context) {
  QualifiedName name = Qualify(context->ident(), context->plainTypeName(), context);
  const bool reserved =
      std::find(kReservedTypeNames.begin(), kReservedTypeNames.end(), name.name.text) != kReservedTypeNames.end();
  if (reserved && !name.name.quoted) {
    Fail(name.name.range, "Invalid (reserved) user type name " + name.name.text,
         "choose another name, or put it in double quotes");
  }
  return name;
}

QualifiedName AstBuilder::BuildUserTypeName(Parser::TypeNameContext* context) {
  QualifiedName name = BuildTypeName(context);
  if (name.name.quoted || !ScalarKindFromName(name.name.text)) return name;
  // In CREATE TYPE int (…), Cassandra takes `int` for the name of a keyspace and reports the token after it.
  FailAtToken(name.keyspace ? context->stop : NextToken(context->stop),
              name.name.text + " is the name of a native type: choose another, or put it in double quotes");
  return name;
}

TypeName AstBuilder::BuildType(Parser::TypeContext* context) {
  TypeName type;
  type.range = RangeOf(context);
  if (antlr4::tree::TerminalNode* custom = context->STRING_LITERAL()) {
    type.is_custom_class = true;
    type.name.name = BuildName(custom->getSymbol());
    type.name.range = type.range;
    const std::string& text = type.name.name.text;
    if (std::optional<std::string> fault = FaultOf(ParseJavaClass(text), text)) Fail(type.range, std::move(*fault));
    return type;
  }
  type.name = BuildTypeName(context->typeName());
  for (Parser::TypeContext* argument : context->type()) type.arguments.push_back(BuildType(argument));
  if (antlr4::tree::TerminalNode* integer = context->INTEGER()) {
    const std::string digits = integer->getText();
    uint64_t number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // A vector of length 0 is refused by the planner, which has Cassandra's message.
    if (failure != std::errc{} || number > INT32_MAX || (number == 0 && type.name.name.text != "vector")) {
      Fail(RangeOf(integer), "Invalid length " + digits + " of type " + type.name.name.text,
           "a length is a number up to 2147483647");
    }
    type.number = number;
  }
  if (!type.name.keyspace && !type.name.name.quoted &&
      (type.name.name.text == "varbinary" || type.name.name.text == "longblob")) {
    UseExtension(type.name.name.text);
    // Without extensions, varbinary and longblob are names of types that a user may have created.
    type.name.name.quoted = !extended();
  }
  CheckType(context, type);
  CheckFrozen(type);
  return type;
}

// Refuses frozen<int> and frozen<'ListType(Int32Type)'>.
void AstBuilder::CheckFrozen(const TypeName& type) {
  if (type.name.keyspace || type.name.name.quoted || type.name.name.text != "frozen" || type.arguments.size() != 1)
    return;
  const TypeName& inner = type.arguments[0];
  const std::string& name = inner.name.name.text;
  const bool scalar = !inner.name.keyspace && !inner.name.name.quoted && inner.arguments.empty() &&
                      (ScalarKindFromName(name) || name == "varbinary" || name == "longblob");
  if (!scalar && !inner.is_custom_class) return;
  const std::string text = inner.is_custom_class ? "'" + FullText(ParseJavaClass(name)) + "'" : Print(inner);
  Fail(type.range, "frozen<> is only allowed on collections, tuples, and user-defined types (got " + text + ")");
}

void AstBuilder::CheckType(Parser::TypeContext* context, const TypeName& type) {
  const auto [least, most] = ArgumentsOf(type);
  const bool is_vector = least == 1 && type.name.name.text == "vector";
  if (context->LPAREN()) {
    if (type.name.name.text != "varbinary" || type.name.keyspace || !extended()) {
      FailAtToken(context->LPAREN()->getSymbol(),
                  extended() ? "only varbinary takes a length" : NoExtensionsHint(dialect_));
    }
    return;
  }
  if (!context->LT()) {  // `list` alone is a name, which a UDT may have; `set` is reserved.
    if (context->typeName()->plainTypeName()->K_SET()) {
      FailAtToken(NextToken(context->stop), "set takes one type: set<int>");
    }
    return;
  }
  if (most == 0) {
    FailAtToken(context->LT()->getSymbol(), "only list, set, map, tuple, frozen and vector take types between < >");
  } else if (type.arguments.size() > most) {
    FailAtToken(context->COMMA(most - 1)->getSymbol(), type.name.name.text == "map"
                                                           ? "map takes two types: map<key, value>"
                                                           : type.name.name.text + " takes one type");
  } else if (type.arguments.size() < least) {
    FailAtToken(context->GT()->getSymbol(), type.name.name.text == "map" ? "map takes two types: map<key, value>"
                                                                         : type.name.name.text + " takes one type");
  } else if (is_vector != type.number.has_value()) {
    FailAtToken(context->GT()->getSymbol(),
                is_vector ? "vector takes a type and a dimension: vector<float, 3>" : "only vector takes a number");
  }
}

std::vector<TypeName> AstBuilder::BuildTypeList(Parser::TypeListContext* context) {
  std::vector<TypeName> types;
  for (Parser::TypeContext* type : context->type()) types.push_back(BuildType(type));
  return types;
}

}  // namespace widerow
