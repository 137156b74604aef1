#include "planner/value_fit.h"

#include <algorithm>
#include <charconv>

namespace widerow {

bool LiteralFits(const Literal& literal, const Type& type) {
  using Kind = Literal::Kind;
  const auto is = [&](std::initializer_list<TypeKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), type.kind) != kinds.end();
  };
  if (type.kind == TypeKind::kTuple) return true;  // Any constant may be a tuple written as a string, such as '1:a'.
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
    case Kind::kHex: return is({TypeKind::kBlob, TypeKind::kTinyint});  // Cassandra accepts 0x… for a tinyint, too.
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
      return from.kind == TypeKind::kInt || from.kind == TypeKind::kBigint || from.kind == TypeKind::kTimestamp;
    default: return false;
  }
}

TypePtr NaturalType(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kNull: return nullptr;
    case Literal::Kind::kString: {
      const bool ascii =
          std::all_of(literal.text.begin(), literal.text.end(), [](unsigned char c) { return c < 0x80; });
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

}  // namespace widerow
