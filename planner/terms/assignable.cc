#include "planner/terms/assignable.h"

#include <algorithm>

#include "base/overloaded.h"
#include "parser/print.h"
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

bool Assignable(const Term& term, const TypePtr& type, const Planning& planning) {
  return std::visit(
      Overloaded{
          [&](const Literal& literal) { return LiteralFits(literal, *type); },
          [&](const BindMarker&) { return true; },
          [&](const FunctionCall&) { return true; },
          [&](const Arithmetic&) { return true; },
          [&](const CastTerm&) { return true; },
          [&](const ListTerm& list) {
            return (type->kind == TypeKind::kList || type->kind == TypeKind::kVector) &&
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
            const std::string& keyspace =
                planning.table != nullptr ? planning.table->keyspace : planning.context.current_keyspace;
            Result<TypePtr> hinted = ResolveType(hint.type, planning.schema, keyspace);
            return hinted.ok() && ValueCompatible(*type, **hinted);
          },
          [](const auto&) { return false; },
      },
      term.node);
}

std::string TermText(const Term& term) {
  if (const auto* hint = std::get_if<TypeHint>(&term.node)) {
    return "(" + Print(hint->type) + ")" + TermText(hint->operand[0]);
  }
  return Print(term);
}

}  // namespace widerow
