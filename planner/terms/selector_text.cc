// SelectorTexts has one function per kind of term; Text() dispatches.
#include "planner/terms/selector_text.h"

#include "base/overloaded.h"
#include "base/text.h"
#include "planner/functions/resolve_function.h"
#include "planner/terms/assignable.h"
#include "planner/terms/prepare_term.h"
#include "planner/terms/raw_type.h"

namespace widerow {
namespace {

class SelectorTexts {
 public:
  // `all_casts`: a cast of a column to its own type appears too.
  SelectorTexts(const Planning& planning, bool all_casts) : planning_(planning), all_casts_(all_casts) {}

  std::string Text(const Term& term) const {
    return std::visit(Overloaded{
                          [](const ColumnRef& column) { return column.name.text; },
                          [](const CountStar&) { return std::string("count"); },
                          [&](const FunctionCall& call) { return OfCall(call); },
                          [&](const FieldAccess& field) { return Text(field.base[0]) + "." + field.field.text; },
                          [&](const ElementAccess& element) {
                            return Text(element.base[0]) + "[" + TermText(element.index[0], planning_) + "]";
                          },
                          [&](const SliceAccess& slice) { return Text(slice.base[0]) + "[" + Bounds(slice) + "]"; },
                          [&](const Arithmetic& arithmetic) { return OfArithmetic(arithmetic); },
                          [&](const CastTerm& cast) { return OfCast(cast); },
                          [&](const TypeHint& hint) {
                            return "(" + QualifiedTypeText(hint.type, planning_.keyspace()) + ")" +
                                   Text(hint.operand[0]);
                          },
                          [&](const ListTerm& list) { return "[" + List(list.elements) + "]"; },
                          [&](const SetTerm& set) { return "{" + List(set.elements) + "}"; },
                          [&](const MapTerm& map) { return OfMap(map); },
                          [&](const TupleTerm& tuple) { return "(" + List(tuple.elements) + ")"; },
                          [&](const UdtTerm& udt) { return OfUdt(udt); },
                          [&](const Literal&) { return TermText(term, planning_); },
                          [&](const BindMarker&) { return TermText(term, planning_); },
                      },
                      term.node);
  }

 private:
  std::string List(const std::vector<Term>& terms) const {
    std::vector<std::string> texts;
    for (const Term& part : terms) texts.push_back(Text(part));
    return JoinNames(texts);
  }

  std::string Bounds(const SliceAccess& slice) const {
    const auto bound = [&](const std::vector<Term>& terms) {
      return terms.empty() ? std::string() : TermText(terms[0], planning_);
    };
    return bound(slice.from) + ".." + bound(slice.to);
  }

  std::string OfMap(const MapTerm& map) const {
    std::vector<std::string> entries;
    for (size_t i = 0; i < map.keys.size(); ++i) entries.push_back(Text(map.keys[i]) + ": " + Text(map.values[i]));
    return "{" + JoinNames(entries) + "}";
  }

  std::string OfUdt(const UdtTerm& udt) const {
    std::vector<std::string> fields;
    for (size_t i = 0; i < udt.names.size(); ++i) fields.push_back(udt.names[i].text + ": " + Text(udt.values[i]));
    return "{" + JoinNames(fields) + "}";
  }

  std::string OfCall(const FunctionCall& call) const {
    const std::string& name = call.name.name.text;
    const std::vector<Term>& arguments = call.arguments;
    if (CellTimeKind(call)) return name + "(" + List(arguments) + ")";
    // Functions that operators and casts call appear as operators and casts.
    const char symbol = OperatorOf(name);
    if (symbol == '~' && arguments.size() == 1) return "-" + Text(arguments[0]);
    if (symbol != 0 && arguments.size() == 2) return Text(arguments[0]) + " " + symbol + " " + Text(arguments[1]);
    constexpr std::string_view kCast = "cast_as_";
    if (name.starts_with(kCast) && arguments.size() == 1) {
      return "cast(" + Text(arguments[0]) + " as " + name.substr(kCast.size()) + ")";
    }
    return "system." + name + "(" + List(arguments) + ")";
  }

  std::string OfCast(const CastTerm& cast) const {
    const std::string& target = cast.type.name.name.text;
    const std::string operand = Text(cast.operand[0]);
    const bool left_out = !all_casts_ && TypeOf(Ungrouped(cast.operand[0])) == target;
    return left_out ? operand : "cast(" + operand + " as " + target + ")";
  }

  // Returns the type of a column or cast; "" for other terms, and for a descending column, whose type in Cassandra is
  // another one.
  std::string TypeOf(const Term& term) const {
    if (const auto* cast = std::get_if<CastTerm>(&term.node)) return cast->type.name.name.text;
    const auto* named = std::get_if<ColumnRef>(&term.node);
    if (named == nullptr || planning_.table == nullptr) return "";
    const ColumnSchema* column = planning_.table->Find(named->name.text);
    return column == nullptr || column->descending ? "" : TypeText(*column->type);
  }

  std::string OfArithmetic(const Arithmetic& arithmetic) const {
    if (arithmetic.op == ArithmeticOp::kNegate) return "-" + Text(arithmetic.operands[0]);
    static constexpr char kSymbols[] = {'+', '-', '*', '/', '%'};
    return Text(arithmetic.operands[0]) + " " + kSymbols[static_cast<size_t>(arithmetic.op)] + " " +
           Text(arithmetic.operands[1]);
  }

  const Planning& planning_;
  const bool all_casts_;
};

}  // namespace

std::optional<CellTimeExpression::Kind> CellTimeKind(const FunctionCall& call) {
  if (call.name.keyspace) return std::nullopt;
  const std::string& name = call.name.name.text;
  if (name == "writetime") return CellTimeExpression::Kind::kWriteTime;
  if (name == "ttl") return CellTimeExpression::Kind::kTtl;
  if (name == "maxwritetime") return CellTimeExpression::Kind::kMaxWriteTime;
  return std::nullopt;
}

std::string SelectorText(const Term& term, const Planning& planning) {
  return SelectorTexts(planning, true).Text(term);
}

std::string SelectedName(const Term& term, const Planning& planning) {
  return SelectorTexts(planning, false).Text(term);
}

}  // namespace widerow
