// abs, round, exp, log, log10 with the results of Cassandra's (that is, Java's) arithmetic: narrowing wraps, double to
// int saturates. exp, log and log10 are not there for decimal and varint.
#include <cmath>
#include <limits>

#include "planner/functions/registry.h"
#include "types/decimal.h"
#include "types/value_bytes.h"

namespace widerow::functions {

namespace {

using Compute = Bytes (*)(TypeKind kind, ByteView bytes);

bool IsFloating(TypeKind kind) { return kind == TypeKind::kFloat || kind == TypeKind::kDouble; }

double DecodeFloating(TypeKind kind, ByteView bytes) {
  return kind == TypeKind::kFloat ? DecodeFloat(bytes) : DecodeDouble(bytes);
}
Bytes EncodeFloating(TypeKind kind, double value) {
  return kind == TypeKind::kFloat ? EncodeFloat(static_cast<float>(value)) : EncodeDouble(value);
}

template <typename T>
T Saturate(double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

// Java's (byte) d, (short) d, (int) d, (long) d.
Bytes Narrow(TypeKind kind, double value) {
  const bool wide = kind == TypeKind::kBigint || kind == TypeKind::kCounter;
  return EncodeInteger(kind, wide ? Saturate<int64_t>(value) : Saturate<int32_t>(value));
}

constexpr int32_t kZerosMax = 10'000;

// Half up, to no digits behind the point.
Decimal RoundDecimal(Decimal value) {
  if (value.scale < -kZerosMax) return value;  // Whole already; written out it would be endless.
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
double Log10(double x) { return std::log10(x); }

void Add(FamilyMap& families, const char* name, bool exact_types_too, Compute compute) {
  for (const TypeKind kind : NumericKinds()) {
    if (!exact_types_too && (kind == TypeKind::kDecimal || kind == TypeKind::kVarint)) continue;
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
  Add(families, "abs", true, Abs);
  Add(families, "round", true, Round);
  Add(families, "exp", false, Transcendental<Exp>);
  Add(families, "log", false, Transcendental<Log>);
  Add(families, "log10", false, Transcendental<Log10>);
}

}  // namespace widerow::functions
