// cast_as_…, the functions that CAST(x AS type) calls. Numbers are converted as in Java, and texts are those of
// Cassandra's CAST.
#include <cmath>

#include "planner/functions/registry.h"
#include "planner/numbers/big_number.h"
#include "planner/numbers/java_number.h"
#include "types/java_number_text.h"
#include "types/scalar_text.h"
#include "types/text_form.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

double Floating(TypeKind kind, ByteView bytes) {
  return kind == TypeKind::kFloat ? double{DecodeFloat(bytes)} : DecodeDouble(bytes);
}

std::string NumberText(TypeKind kind, ByteView bytes) {
  switch (kind) {
    case TypeKind::kFloat: return JavaFloatText(DecodeFloat(bytes));
    case TypeKind::kDouble: return JavaDoubleText(DecodeDouble(bytes));
    case TypeKind::kVarint: return VarintText(DecodeVarint(bytes));
    case TypeKind::kDecimal: return DecimalText(DecodeDecimal(bytes));
    default: return std::to_string(DecodeInteger(bytes));
  }
}

std::string AsText(TypeKind kind, ByteView bytes) {
  switch (kind) {
    case TypeKind::kText:
    case TypeKind::kAscii: return std::string(bytes);
    case TypeKind::kTimestamp: return TimestampIsoText(bytes, 'T');
    case TypeKind::kBoolean: return bytes[0] != 0 ? "true" : "false";
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid: return FormatText(*ScalarType(kind), bytes);
    case TypeKind::kInet: return InetLongText(bytes);
    default: return NumberText(kind, bytes);
  }
}

// Converts like Java's Number.longValue.
Result<int64_t> LongOf(TypeKind kind, ByteView bytes) {
  if (IsFloating(kind)) return JavaLong(Floating(kind, bytes));
  if (kind != TypeKind::kVarint && kind != TypeKind::kDecimal) return DecodeInteger(bytes);
  const Decimal value = kind == TypeKind::kVarint ? DecodeVarint(bytes) : DecodeDecimal(bytes);
  // A number with this many trailing decimal zeros has zeros in its low 64 bits.
  if (kind == TypeKind::kDecimal && value.scale < -64) return 0;
  WR_ASSIGN_OR_RETURN(const BigInteger number, WholePartOf(value));
  const auto low = static_cast<uint64_t>(abs(number) & UINT64_MAX);
  return static_cast<int64_t>(number < 0 ? 0 - low : low);
}

double DoubleOf(TypeKind kind, ByteView bytes) {
  if (IsFloating(kind)) return Floating(kind, bytes);
  if (kind == TypeKind::kVarint || kind == TypeKind::kDecimal)
    return std::strtod(NumberText(kind, bytes).c_str(), nullptr);
  return static_cast<double>(DecodeInteger(bytes));
}

Result<Bytes> ToExact(TypeKind from, TypeKind to, ByteView bytes) {
  if (to == TypeKind::kVarint) {
    if (IsFloating(from)) return EncodeVarint(JavaLong(Floating(from, bytes)));
    if (from != TypeKind::kDecimal) return EncodeVarint(DecodeInteger(bytes));
    WR_ASSIGN_OR_RETURN(const BigInteger whole, WholePartOf(DecodeDecimal(bytes)));
    return EncodeVarint(ToDecimal(whole));
  }
  if (IsFloating(from) && !std::isfinite(Floating(from, bytes))) {
    return InvalidError(std::isnan(Floating(from, bytes)) ? "A NaN cannot be converted into a decimal"
                                                          : "An infinite number cannot be converted into a decimal");
  }
  return EncodeDecimal(*ParseDecimalText(NumberText(from, bytes)));
}

Result<Bytes> Cast(TypeKind from, TypeKind to, ByteView bytes) {
  switch (to) {
    case TypeKind::kText:
    case TypeKind::kAscii: return Bytes(AsText(from, bytes));
    case TypeKind::kFloat:
      if (from == TypeKind::kVarint || from == TypeKind::kDecimal) {
        return EncodeFloat(std::strtof(NumberText(from, bytes).c_str(), nullptr));
      }
      return EncodeFloat(IsFloating(from) ? static_cast<float>(Floating(from, bytes))
                                          : static_cast<float>(DecodeInteger(bytes)));
    case TypeKind::kDouble: return EncodeDouble(DoubleOf(from, bytes));
    case TypeKind::kVarint:
    case TypeKind::kDecimal: return ToExact(from, to, bytes);
    default: break;
  }
  if (IsFloating(from) && to != TypeKind::kBigint) return EncodeInteger(to, JavaInt(Floating(from, bytes)));
  WR_ASSIGN_OR_RETURN(const int64_t value, LongOf(from, bytes));
  return EncodeInteger(to, value);
}

void Add(FamilyMap& families, TypeKind from, TypeKind to) {
  const std::string name = "cast_as_" + TypeText(*ScalarType(to));
  const auto body = [from, to](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    WR_ASSIGN_OR_RETURN(Bytes bytes, Cast(from, to, *values[0]));
    return Value(std::move(bytes));
  };
  families[name].overloads.push_back(
      {.name = name, .parameters = {ScalarType(from)}, .returns = ScalarType(to), .body = body});
}

// Adds the casts between timeuuid, timestamp and date. They are the functions to_date and to_timestamp under other
// names.
void AddTimes(FamilyMap& families) {
  const auto add = [&](const char* made_by, TypeKind from, TypeKind to) {
    for (const Function& function : families.find(made_by)->second.overloads) {
      if (function.parameters[0]->kind != from) continue;
      Function cast = function;
      cast.name = "cast_as_" + TypeText(*ScalarType(to));
      families[cast.name].overloads.push_back(std::move(cast));
    }
  };
  add("to_date", TypeKind::kTimeuuid, TypeKind::kDate);
  add("to_date", TypeKind::kTimestamp, TypeKind::kDate);
  add("to_timestamp", TypeKind::kTimeuuid, TypeKind::kTimestamp);
  add("to_timestamp", TypeKind::kDate, TypeKind::kTimestamp);
}

}  // namespace

void AddCasts(FamilyMap& families) {
  for (const TypeKind from : NumericKinds()) {
    for (const TypeKind to : NumericKinds()) {
      if (from != to && to != TypeKind::kCounter) Add(families, from, to);
    }
  }
  for (const TypeKind to : {TypeKind::kText, TypeKind::kAscii}) {
    for (const TypeKind from : NumericKinds()) Add(families, from, to);
    for (const TypeKind from : {TypeKind::kInet, TypeKind::kBoolean, TypeKind::kTimeuuid, TypeKind::kTimestamp,
                                TypeKind::kDate, TypeKind::kTime, TypeKind::kUuid}) {
      Add(families, from, to);
    }
  }
  Add(families, TypeKind::kAscii, TypeKind::kText);
  AddTimes(families);
}

}  // namespace widerow::functions
