#include "planner/terms/selector_text.h"

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/functions/resolve_function.h"
#include "planner/terms/assignable.h"
#include "planner/terms/planning.h"

namespace widerow {
namespace {

std::string List(const std::vector<Term>& terms) {
  std::vector<std::string> texts;
  for (const Term& part : terms) texts.push_back(SelectorText(part));
  return JoinNames(texts);
}

std::string Bounds(const SliceAccess& slice) {
  const auto bound = [](const std::vector<Term>& terms) { return terms.empty() ? std::string() : TermText(terms[0]); };
  return bound(slice.from) + ".." + bound(slice.to);
}

std::string UdtText(const UdtTerm& udt) {
  std::vector<std::string> fields;
  for (size_t i = 0; i < udt.names.size(); ++i)
    fields.push_back(udt.names[i].text + ": " + SelectorText(udt.values[i]));
  return "{" + JoinNames(fields) + "}";
}

std::string CallText(const FunctionCall& call) {
  const std::string& name = call.name.name.text;
  const std::vector<Term>& arguments = call.arguments;
  if (CellTimeKind(call)) return name + "(" + List(arguments) + ")";
  // Functions that operators and casts call appear as operators and casts.
  const char symbol = OperatorOf(name);
  if (symbol == '~' && arguments.size() == 1) return "-" + SelectorText(arguments[0]);
  if (symbol != 0 && arguments.size() == 2) {
    return SelectorText(arguments[0]) + " " + symbol + " " + SelectorText(arguments[1]);
  }
  constexpr std::string_view kCast = "cast_as_";
  if (name.starts_with(kCast) && arguments.size() == 1) {
    return "cast(" + SelectorText(arguments[0]) + " as " + name.substr(kCast.size()) + ")";
  }
  return "system." + (name == "tojson" ? "to_json" : name) + "(" + List(arguments) + ")";
}

std::string ArithmeticText(const Arithmetic& arithmetic) {
  if (arithmetic.op == ArithmeticOp::kNegate) return "-" + SelectorText(arithmetic.operands[0]);
  static constexpr char kSymbols[] = {'+', '-', '*', '/', '%'};
  return SelectorText(arithmetic.operands[0]) + " " + kSymbols[static_cast<size_t>(arithmetic.op)] + " " +
         SelectorText(arithmetic.operands[1]);
}

}  // namespace

std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call) {
  if (call.name.keyspace) return std::nullopt;
  const std::string& name = call.name.name.text;
  if (name == "writetime") return CellTimeExpression::Kind::kWriteTime;
  if (name == "ttl") return CellTimeExpression::Kind::kTtl;
  if (name == "maxwritetime") return CellTimeExpression::Kind::kMaxWriteTime;
  return std::nullopt;
}

std::string SelectorText(const Term& term) {
  return std::visit(
      Overloaded{
          [](const ColumnRef& column) { return column.name.text; },
          [](const CountStar&) { return std::string("count"); },
          [](const FunctionCall& call) { return CallText(call); },
          [](const FieldAccess& field) { return SelectorText(field.base[0]) + "." + field.field.text; },
          [](const ElementAccess& element) {
            return SelectorText(element.base[0]) + "[" + TermText(element.index[0]) + "]";
          },
          [](const SliceAccess& slice) { return SelectorText(slice.base[0]) + "[" + Bounds(slice) + "]"; },
          [](const Arithmetic& arithmetic) { return ArithmeticText(arithmetic); },
          [](const CastTerm& cast) {
            return "cast(" + SelectorText(cast.operand[0]) + " as " + cast.type.name.name.text + ")";
          },
          [](const TupleTerm& tuple) { return "(" + List(tuple.elements) + ")"; },
          [](const UdtTerm& udt) { return UdtText(udt); },
          [](const Literal& literal) {
            // Quotes inside are not doubled.
            if (literal.kind == Literal::Kind::kString) return "'" + literal.text + "'";
            return literal.kind == Literal::Kind::kNull ? std::string("NULL") : TermText({literal, {}});
          },
          [&](const auto&) { return TermText(term); },
      },
      term.node);
}

}  // namespace widerow
