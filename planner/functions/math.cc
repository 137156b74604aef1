// abs, round, exp, log and log10, with the results of Java's arithmetic. An integer that is converted to a smaller type
// loses its high bits. A double that is out of the range of int becomes the nearest int.
#include <cmath>
#include <limits>

#include "planner/functions/registry.h"
#include "planner/numbers/big_number.h"
#include "planner/numbers/exact_logarithm.h"
#include "planner/numbers/java_number.h"
#include "types/decimal.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

using Compute = Bytes (*)(TypeKind kind, ByteView bytes);

double DecodeFloating(TypeKind kind, ByteView bytes) {
  return kind == TypeKind::kFloat ? DecodeFloat(bytes) : DecodeDouble(bytes);
}
Bytes EncodeFloating(TypeKind kind, double value) {
  return kind == TypeKind::kFloat ? EncodeFloat(static_cast<float>(value)) : EncodeDouble(value);
}

// Converts like Java's (byte) d, (short) d, (int) d, (long) d.
Bytes Narrow(TypeKind kind, double value) {
  const bool wide = kind == TypeKind::kBigint || kind == TypeKind::kCounter;
  return EncodeInteger(kind, wide ? Saturate<int64_t>(value) : Saturate<int32_t>(value));
}

constexpr int32_t kZerosMax = 10'000;

// Rounds to a whole number; a half is rounded away from zero.
Decimal RoundDecimal(Decimal value) {
  if (value.scale < -kZerosMax) return value;  // A whole number with too many zeros to write them all.
  if (value.scale <= 0) {
    if (!value.is_zero()) value.digits.append(static_cast<size_t>(-static_cast<int64_t>(value.scale)), '0');
    value.scale = 0;
    return value;
  }
  const auto scale = static_cast<size_t>(value.scale);
  value.scale = 0;
  if (value.digits.size() < scale) return {};
  const bool up = value.digits[value.digits.size() - scale] >= '5';
  value.digits.resize(value.digits.size() - scale);
  if (up) {
    size_t at = value.digits.size();
    while (at > 0 && value.digits[at - 1] == '9') value.digits[--at] = '0';
    if (at == 0)
      value.digits.insert(value.digits.begin(), '1');
    else
      ++value.digits[at - 1];
  }
  if (value.digits.empty()) value.digits = "0";
  if (value.is_zero()) value.negative = false;
  return value;
}

Bytes Abs(TypeKind kind, ByteView bytes) {
  if (IsFloating(kind)) return EncodeFloating(kind, std::fabs(DecodeFloating(kind, bytes)));
  if (IsInteger(kind)) {
    const auto value = static_cast<uint64_t>(DecodeInteger(bytes));
    return EncodeInteger(kind, static_cast<int64_t>(static_cast<int64_t>(value) < 0 ? 0 - value : value));
  }
  Decimal value = kind == TypeKind::kVarint ? DecodeVarint(bytes) : DecodeDecimal(bytes);
  value.negative = false;
  return kind == TypeKind::kVarint ? EncodeVarint(value) : EncodeDecimal(value);
}

Bytes Round(TypeKind kind, ByteView bytes) {
  if (kind == TypeKind::kFloat) {
    return EncodeFloat(static_cast<float>(Saturate<int32_t>(std::floor(double{DecodeFloat(bytes)} + 0.5))));
  }
  if (kind == TypeKind::kDouble) {
    const double value = DecodeDouble(bytes);
    const double down = std::floor(value);
    return EncodeDouble(static_cast<double>(Saturate<int64_t>(value - down >= 0.5 ? down + 1 : down)));
  }
  if (kind == TypeKind::kDecimal) return EncodeDecimal(RoundDecimal(DecodeDecimal(bytes)));
  return Bytes(bytes);
}

template <double (*kFunction)(double)>
Bytes Transcendental(TypeKind kind, ByteView bytes) {
  if (IsFloating(kind)) return EncodeFloating(kind, kFunction(DecodeFloating(kind, bytes)));
  return Narrow(kind, kFunction(static_cast<double>(DecodeInteger(bytes))));
}
double Exp(double x) { return std::exp(x); }
double Log(double x) { return std::log(x); }
// The NaN for a number below 0 has the same sign as the NaN that std::log returns.
double Log10(double x) { return x < 0 ? -std::numeric_limits<double>::quiet_NaN() : std::log10(x); }

bool IsExact(TypeKind kind) { return kind == TypeKind::kDecimal || kind == TypeKind::kVarint; }

void AddExact(FamilyMap& families, const char* name, TypeKind kind, Transcendent function) {
  const auto body = [kind, function](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
    const bool varint = kind == TypeKind::kVarint;
    WR_RETURN_IF_ERROR(CheckDigits(*values[0]));
    WR_ASSIGN_OR_RETURN(Decimal result,
                        ExactTranscendent(function, varint ? DecodeVarint(*values[0]) : DecodeDecimal(*values[0])));
    if (!varint) return Value(EncodeDecimal(result));
    WR_ASSIGN_OR_RETURN(const BigInteger whole, WholePartOf(result));
    return Value(EncodeVarint(ToDecimal(whole)));
  };
  families[name].overloads.push_back(
      {.name = name, .parameters = {ScalarType(kind)}, .returns = ScalarType(kind), .body = body});
}

void Add(FamilyMap& families, const char* name, Compute compute, std::optional<Transcendent> exact = std::nullopt) {
  for (const TypeKind kind : NumericKinds()) {
    if (exact && IsExact(kind)) {
      AddExact(families, name, kind, *exact);
      continue;
    }
    families[name].overloads.push_back(
        {.name = name,
         .parameters = {ScalarType(kind)},
         .returns = ScalarType(kind),
         .body = [kind, compute](const FunctionContext&, std::span<const ValueView> values) -> Result<Value> {
           return Value(compute(kind, *values[0]));
         }});
  }
}

}  // namespace

void AddMath(FamilyMap& families) {
  Add(families, "abs", Abs);
  Add(families, "round", Round);
  Add(families, "exp", Transcendental<Exp>, Transcendent::kExp);
  Add(families, "log", Transcendental<Log>, Transcendent::kLog);
  Add(families, "log10", Transcendental<Log10>, Transcendent::kLog10);
}

}  // namespace widerow::functions
