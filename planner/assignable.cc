#include "planner/assignable.h"

#include <algorithm>
#include <charconv>

#include "base/overloaded.h"
#include "parser/print.h"
#include "planner/ddl/apply_ddl.h"

namespace widerow {
namespace {

bool AllAssignable(const std::vector<Term>& terms, const TypePtr& type, const Planning& planning) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return Assignable(term, type, planning); });
}

bool TupleFits(const TupleTerm& tuple, const TypePtr& type, const Planning& planning) {
  if (type->kind != TypeKind::kTuple)
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
    if (field == type->field_names.end()) continue;  // Preparing it names the unknown field.
    const size_t at = static_cast<size_t>(field - type->field_names.begin());
    if (!Assignable(udt.values[i], type->arguments[at], planning)) return false;
  }
  return true;
}

}  // namespace

bool LiteralFits(const Literal& literal, const Type& type) {
  using Kind = Literal::Kind;
  const auto is = [&](std::initializer_list<TypeKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), type.kind) != kinds.end();
  };
  switch (literal.kind) {
    case Kind::kNull: return true;
    case Kind::kString:
      return is(
          {TypeKind::kAscii, TypeKind::kText, TypeKind::kInet, TypeKind::kDate, TypeKind::kTime, TypeKind::kTimestamp});
    case Kind::kInteger:
      return is({TypeKind::kBigint, TypeKind::kCounter, TypeKind::kDate, TypeKind::kDecimal, TypeKind::kDouble,
                 TypeKind::kDuration, TypeKind::kFloat, TypeKind::kInt, TypeKind::kSmallint, TypeKind::kTime,
                 TypeKind::kTimestamp, TypeKind::kTinyint, TypeKind::kVarint});
    case Kind::kFloat: return is({TypeKind::kDecimal, TypeKind::kDouble, TypeKind::kFloat});
    case Kind::kBoolean: return is({TypeKind::kBoolean});
    case Kind::kUuid: return is({TypeKind::kUuid, TypeKind::kTimeuuid});
    case Kind::kHex: return is({TypeKind::kBlob});
    case Kind::kDuration: return is({TypeKind::kDuration});
  }
  return false;
}

bool ValueCompatible(const Type& to, const Type& from) {
  const auto unfrozen = [](Type type) {
    type.frozen = false;
    return type;
  };
  if (to.kind == from.kind && SameType(unfrozen(to), unfrozen(from))) return true;
  switch (to.kind) {
    case TypeKind::kBlob: return true;
    case TypeKind::kText: return from.kind == TypeKind::kAscii;
    case TypeKind::kUuid: return from.kind == TypeKind::kTimeuuid;
    case TypeKind::kBigint: return from.kind == TypeKind::kTimestamp;
    case TypeKind::kTimestamp: return from.kind == TypeKind::kBigint;
    case TypeKind::kTime: return from.kind == TypeKind::kBigint;
    case TypeKind::kDate: return from.kind == TypeKind::kInt;
    case TypeKind::kVarint:
      return from.kind == TypeKind::kInt || from.kind == TypeKind::kBigint || from.kind == TypeKind::kSmallint ||
             from.kind == TypeKind::kTinyint || from.kind == TypeKind::kTimestamp;
    default: return false;
  }
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

TypePtr NaturalType(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kNull: return nullptr;
    case Literal::Kind::kString: {
      const bool ascii = std::all_of(literal.text.begin(), literal.text.end(), [](unsigned char c) { return c < 0x80; });
      return ScalarType(ascii ? TypeKind::kAscii : TypeKind::kText);
    }
    case Literal::Kind::kInteger: {
      int64_t value = 0;
      const char* end = literal.text.data() + literal.text.size();
      const auto [stop, error] = std::from_chars(literal.text.data(), end, value);
      if (error != std::errc() || stop != end) return ScalarType(TypeKind::kVarint);
      return ScalarType(value >= INT32_MIN && value <= INT32_MAX ? TypeKind::kInt : TypeKind::kBigint);
    }
    case Literal::Kind::kFloat: return ScalarType(TypeKind::kDouble);
    case Literal::Kind::kBoolean: return ScalarType(TypeKind::kBoolean);
    case Literal::Kind::kUuid: return ScalarType(TypeKind::kUuid);
    case Literal::Kind::kHex: return ScalarType(TypeKind::kBlob);
    case Literal::Kind::kDuration: return ScalarType(TypeKind::kDuration);
  }
  return nullptr;
}

std::string TermText(const Term& term) {
  if (const auto* hint = std::get_if<TypeHint>(&term.node)) {
    return "(" + Print(hint->type) + ")" + TermText(hint->operand[0]);
  }
  return Print(term);
}

}  // namespace widerow
