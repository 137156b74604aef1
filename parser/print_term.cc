// Prints terms, names and types so that they parse to an equal tree. Grouped adds parentheses where the precedence of
// operators requires them.
#include <algorithm>

#include "base/overloaded.h"
#include "parser/keywords.h"
#include "parser/print.h"
#include "parser/print_parts.h"
#include "types/type.h"

namespace widerow {
namespace {

std::string Doubled(const std::string& text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    result += c;
    if (c == quote) result += c;
  }
  return result + quote;
}

// True if `text` without quotes is one name for the lexer, and the lexer does not change it to lower case.
bool IsPlainName(const std::string& text) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (text.empty() || text[0] < 'a' || text[0] > 'z' || IsReservedWord(text)) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_word(text[i])) continue;
    if (text[i] != '$' || i + 1 == text.size() || !is_word(text[i + 1])) return false;
  }
  return true;
}

const char* Symbol(ArithmeticOp op) {
  switch (op) {
    case ArithmeticOp::kAdd: return " + ";
    case ArithmeticOp::kSubtract: return " - ";
    case ArithmeticOp::kMultiply: return " * ";
    case ArithmeticOp::kDivide: return " / ";
    case ArithmeticOp::kModulo: return " % ";
    case ArithmeticOp::kNegate: return "-";
  }
  return "";
}

int Precedence(const Term& term) {
  const auto* arithmetic = std::get_if<Arithmetic>(&term.node);
  if (!arithmetic) return 3;
  switch (arithmetic->op) {
    case ArithmeticOp::kAdd:
    case ArithmeticOp::kSubtract: return 0;
    case ArithmeticOp::kMultiply:
    case ArithmeticOp::kDivide:
    case ArithmeticOp::kModulo: return 1;
    case ArithmeticOp::kNegate: return 2;
  }
  return 3;
}

std::string Grouped(const Term& term, int least) {
  return Precedence(term) < least ? "(" + Print(term) + ")" : Print(term);
}

std::string PrintArithmetic(const Arithmetic& arithmetic) {
  if (arithmetic.op == ArithmeticOp::kNegate) {
    // "- 1" is a negation, "-1" a number, and "--" begins a comment.
    const Term& operand = arithmetic.operands[0];
    const bool plain = std::holds_alternative<ColumnRef>(operand.node) ||
                       std::holds_alternative<FunctionCall>(operand.node) ||
                       std::holds_alternative<TupleTerm>(operand.node);
    return (plain ? "-" : "- ") + Grouped(operand, 2);
  }
  const bool sum = arithmetic.op == ArithmeticOp::kAdd || arithmetic.op == ArithmeticOp::kSubtract;
  // A sum is the right operand of another sum only in an assignment: c = c - 1 + 2 means c - (1 + 2). The statement has
  // no parentheses there, so none are printed.
  return Grouped(arithmetic.operands[0], sum ? 0 : 1) + Symbol(arithmetic.op) +
         Grouped(arithmetic.operands[1], sum ? 0 : 2);
}

// Prints m[1..5]. The 1 needs no parentheses and no blank after it. "1." could be a number, but the lexer makes one
// token of "1..".
std::string PrintSlice(const SliceAccess& slice) {
  const auto bound = [](const std::vector<Term>& terms) { return terms.empty() ? std::string() : Print(terms[0]); };
  return Print(slice.base[0]) + "[" + bound(slice.from) + ".." + bound(slice.to) + "]";
}

std::string PrintPairs(const std::vector<std::string>& keys, const std::vector<Term>& values) {
  std::string text = "{";
  for (size_t i = 0; i < keys.size(); ++i) text += (i ? ", " : "") + keys[i] + ": " + Print(values[i]);
  return text + "}";
}

// Prints the term before .field and [index]: arithmetic and signs need parentheses.
std::string PrintBase(const Term& base) {
  const auto* literal = std::get_if<Literal>(&base.node);
  const bool number = literal && literal->kind != Literal::Kind::kString;
  if (Precedence(base) < 3) return "(" + Print(base) + ")";
  return number ? Print(base) + " " : Print(base);  // "1 .f": without the blank the dot would be part of the number.
}

}  // namespace

std::string UpperCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

std::string PrintString(const std::string& text) { return Doubled(text, '\''); }
std::string PrintName(const Identifier& name) { return IsPlainName(name.text) ? name.text : Doubled(name.text, '"'); }
std::string PrintNames(const std::vector<Identifier>& names) {
  return Join(names, ", ", [](const Identifier& name) { return PrintName(name); });
}
std::string PrintName(const QualifiedName& name) {
  return (name.keyspace ? PrintName(*name.keyspace) + "." : "") + PrintName(name.name);
}
std::string PrintTypeName(const QualifiedName& name) {
  if (!name.name.quoted) return PrintName(name);
  return (name.keyspace ? PrintName(*name.keyspace) + "." : "") + QuoteTypeName(name.name.text);
}
std::string PrintTerms(const std::vector<Term>& terms) {
  return Join(terms, ", ", [](const Term& term) { return Print(term); });
}
std::string PrintTypes(const std::vector<TypeName>& types) {
  return Join(types, ", ", [](const TypeName& type) { return Print(type); });
}

std::string Print(const TypeName& type) {
  if (type.is_custom_class) return PrintString(type.name.name.text);
  // `set` is the only reserved word that is a type's name.
  const bool is_set = !type.name.keyspace && !type.name.name.quoted && type.name.name.text == "set";
  std::string text = is_set ? "set" : PrintTypeName(type.name);
  if (type.arguments.empty()) return type.number ? text + "(" + std::to_string(*type.number) + ")" : text;
  text += "<" + PrintTypes(type.arguments);
  if (type.number) text += ", " + std::to_string(*type.number);
  return text + ">";
}

std::string Print(const Term& term) {
  return std::visit(Overloaded{
                        [](const Literal& t) -> std::string {
                          if (t.kind == Literal::Kind::kNull) return "null";
                          return t.kind == Literal::Kind::kString ? PrintString(t.text) : t.text;
                        },
                        [](const BindMarker& t) { return t.name ? ":" + PrintName(*t.name) : "?"; },
                        [](const ListTerm& t) { return "[" + PrintTerms(t.elements) + "]"; },
                        [](const SetTerm& t) { return "{" + PrintTerms(t.elements) + "}"; },
                        [](const MapTerm& t) {
                          std::vector<std::string> keys;
                          for (const Term& key : t.keys) keys.push_back(Print(key));
                          return PrintPairs(keys, t.values);
                        },
                        [](const TupleTerm& t) { return "(" + PrintTerms(t.elements) + ")"; },
                        [](const UdtTerm& t) {
                          std::vector<std::string> keys;
                          for (const Identifier& name : t.names) keys.push_back(PrintName(name));
                          return PrintPairs(keys, t.values);
                        },
                        [](const FunctionCall& t) {
                          const bool token = !t.name.keyspace && !t.name.name.quoted && t.name.name.text == "token";
                          return (token ? "token" : PrintName(t.name)) + "(" + PrintTerms(t.arguments) + ")";
                        },
                        [](const CountStar&) { return std::string("count(*)"); },
                        [](const CastTerm& t) { return "CAST(" + Print(t.operand[0]) + " AS " + Print(t.type) + ")"; },
                        [](const TypeHint& t) { return "(" + Print(t.type) + ")" + Print(t.operand[0]); },
                        [](const ColumnRef& t) { return PrintName(t.name); },
                        [](const FieldAccess& t) { return PrintBase(t.base[0]) + "." + PrintName(t.field); },
                        [](const ElementAccess& t) { return PrintBase(t.base[0]) + "[" + Print(t.index[0]) + "]"; },
                        [](const SliceAccess& t) { return PrintSlice(t); },
                        [](const Arithmetic& t) { return PrintArithmetic(t); },
                    },
                    term.node);
}

}  // namespace widerow
