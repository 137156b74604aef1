#include "planner/terms/assignable.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/text.h"
#include "parser/print.h"
#include "planner/terms/prepare_term.h"
#include "planner/terms/raw_type.h"
#include "planner/terms/resolve_type.h"

namespace widerow {
namespace {

bool AllAssignable(const std::vector<Term>& terms, const TypePtr& type, const Planning& planning) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return Assignable(term, type, planning); });
}

bool TupleFits(const TupleTerm& tuple, const TypePtr& type, const Planning& planning) {
  if (type->kind != TypeKind::kTuple && type->kind != TypeKind::kUdt)
    return tuple.elements.size() == 1 && Assignable(tuple.elements[0], type, planning);
  if (tuple.elements.size() > type->arguments.size()) return false;
  for (size_t i = 0; i < tuple.elements.size(); ++i) {
    if (!Assignable(tuple.elements[i], type->arguments[i], planning)) return false;
  }
  return true;
}

bool UdtFits(const UdtTerm& udt, const TypePtr& type, const Planning& planning) {
  if (type->kind != TypeKind::kUdt) return false;
  for (size_t i = 0; i < udt.names.size(); ++i) {
    const auto field = std::find(type->field_names.begin(), type->field_names.end(), udt.names[i].text);
    if (field == type->field_names.end()) continue;  // Preparing the literal reports the unknown field.
    const size_t at = static_cast<size_t>(field - type->field_names.begin());
    if (!Assignable(udt.values[i], type->arguments[at], planning)) return false;
  }
  return true;
}

}  // namespace

bool HintFits(const Type& hinted, const Type& type) {
  return ValueCompatible(type, hinted) && (type.kind != hinted.kind || type.is_multi_cell() == hinted.is_multi_cell());
}

bool Assignable(const Term& term, const TypePtr& type, const Planning& planning) {
  return std::visit(
      Overloaded{
          [&](const Literal& literal) { return LiteralFits(literal, *type); },
          [&](const BindMarker&) { return true; },
          [&](const FunctionCall&) { return true; },
          [&](const Arithmetic&) { return true; },
          [&](const CastTerm&) { return true; },
          [&](const ListTerm& list) {
            const bool vector = type->kind == TypeKind::kVector && list.elements.size() == type->dimension;
            return (type->kind == TypeKind::kList || vector) &&
                   AllAssignable(list.elements, type->arguments[0], planning);
          },
          [&](const SetTerm& set) {
            if (type->kind == TypeKind::kMap) return set.elements.empty();
            return type->kind == TypeKind::kSet && AllAssignable(set.elements, type->arguments[0], planning);
          },
          [&](const MapTerm& map) {
            return type->kind == TypeKind::kMap && AllAssignable(map.keys, type->arguments[0], planning) &&
                   AllAssignable(map.values, type->arguments[1], planning);
          },
          [&](const TupleTerm& tuple) { return TupleFits(tuple, type, planning); },
          [&](const UdtTerm& udt) { return UdtFits(udt, type, planning); },
          [&](const TypeHint& hint) {
            Result<TypePtr> hinted = ResolveType(hint.type, planning.schema, planning.keyspace());
            return hinted.ok() && HintFits(**hinted, *type);
          },
          [](const auto&) { return false; },
      },
      term.node);
}

namespace {

std::string LiteralText(const Literal& literal) {
  if (literal.kind == Literal::Kind::kNull) return "NULL";
  // As in Cassandra's messages, quotes inside the text are not doubled.
  if (literal.kind == Literal::Kind::kString) return "'" + literal.text + "'";
  return literal.text;
}

}  // namespace

std::string TermText(const Term& term, const Planning& planning) {
  const auto list = [&](const std::vector<Term>& terms) {
    std::vector<std::string> texts;
    for (const Term& part : terms) texts.push_back(TermText(part, planning));
    return JoinNames(texts);
  };
  return std::visit(
      Overloaded{
          [&](const TypeHint& hint) {
            return "(" + QualifiedTypeText(hint.type, planning.keyspace()) + ")" + TermText(hint.operand[0], planning);
          },
          [](const Literal& t) { return LiteralText(t); },
          [](const BindMarker&) { return std::string("?"); },
          [&](const FunctionCall& t) {
            const std::string keyspace = t.name.keyspace ? QuoteIdentifier(t.name.keyspace->text) + "." : "";
            return keyspace + QuoteIdentifier(t.name.name.text) + "(" + list(t.arguments) + ")";
          },
          [&](const MapTerm& t) {
            std::vector<std::string> entries;
            for (size_t i = 0; i < t.keys.size(); ++i)
              entries.push_back(TermText(t.keys[i], planning) + ": " + TermText(t.values[i], planning));
            return "{" + JoinNames(entries) + "}";
          },
          [&](const UdtTerm& t) {
            std::vector<std::string> fields;
            for (size_t i = 0; i < t.names.size(); ++i)
              fields.push_back(QuoteIdentifier(t.names[i].text) + ": " + TermText(t.values[i], planning));
            return "{" + JoinNames(fields) + "}";
          },
          [&](const ListTerm& t) { return "[" + list(t.elements) + "]"; },
          [&](const SetTerm& t) { return "{" + list(t.elements) + "}"; },
          [&](const TupleTerm& t) { return "(" + list(t.elements) + ")"; },
          // Operators and casts appear as the functions that they call.
          [&](const Arithmetic& t) {
            return "system." + QuoteIdentifier(OperationFunctionName(t.op)) + "(" + list(t.operands) + ")";
          },
          [&](const CastTerm& t) { return "system." + CastFunctionName(t) + "(" + list(t.operand) + ")"; },
          [&](const auto&) { return Print(term); },
      },
      term.node);
}

namespace {

// Searches for a list literal where no list can be. First checks `term` itself. If `term` is a collection literal, then
// checks the first of its parts, in Cassandra's order, that does not fit. Returns the error about the list literal;
// nullopt if there is none.
std::optional<Error> MisplacedList(const Term& term, const TypePtr& type, const Planning& planning) {
  std::vector<std::pair<const Term*, const TypePtr*>> parts;
  if (const auto* const list = std::get_if<ListTerm>(&term.node)) {
    if (type->kind != TypeKind::kList && type->kind != TypeKind::kVector) {
      return InvalidAt(term.range,
                       "Unexpected receiver type '" + TypeText(*type) + "'; only list and vector are expected");
    }
    for (const Term& part : list->elements) parts.emplace_back(&part, &type->arguments[0]);
  } else if (const auto* const set = std::get_if<SetTerm>(&term.node); set != nullptr && type->kind == TypeKind::kSet) {
    for (const Term& part : set->elements) parts.emplace_back(&part, &type->arguments[0]);
  } else if (const auto* const map = std::get_if<MapTerm>(&term.node); map != nullptr && type->kind == TypeKind::kMap) {
    for (size_t i = 0; i < map->keys.size(); ++i) {
      parts.emplace_back(&map->keys[i], &type->arguments[0]);
      parts.emplace_back(&map->values[i], &type->arguments[1]);
    }
  }
  for (const auto& [part, expected] : parts) {
    if (!Assignable(*part, *expected, planning)) return MisplacedList(*part, *expected, planning);
  }
  return std::nullopt;
}

}  // namespace

Error Misfit(const Term& term, const TypePtr& type, std::string sentence, const Planning& planning) {
  if (std::optional<Error> misplaced = MisplacedList(term, type, planning)) return *std::move(misplaced);
  return InvalidAt(term.range, std::move(sentence));
}

}  // namespace widerow
