// Operate() brings both operands to the result type (OperationType) and calls the function for that kind of number:
// OnIntegers, OnFloats, OnVarints or OnDecimals. Division and remainder of decimals follow Java's BigDecimal with
// Cassandra's scale.
#include "planner/functions/number_operation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/functions/registry.h"
#include "planner/numbers/big_number.h"
#include "types/java_number_text.h"
#include "types/value_bytes.h"

namespace widerow::functions {
namespace {

bool IsFractional(TypeKind kind) {
  return kind == TypeKind::kFloat || kind == TypeKind::kDouble || kind == TypeKind::kDecimal;
}

// Returns the size of a value in bytes. varint and decimal, which have no fixed size, count as larger than all others.
size_t SizeOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyint: return 1;
    case TypeKind::kSmallint: return 2;
    case TypeKind::kInt:
    case TypeKind::kFloat: return 4;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
    case TypeKind::kDouble: return 8;
    default: return 16;
  }
}

Error Failed(std::string why) { return {.code = ErrorCode::kFunctionFailure, .message = std::move(why)}; }

double ToDouble(const Operand& operand) {
  if (operand.kind == TypeKind::kFloat) return double{DecodeFloat(operand.bytes)};
  return operand.kind == TypeKind::kDouble ? DecodeDouble(operand.bytes)
                                           : static_cast<double>(DecodeInteger(operand.bytes));
}
float ToFloat(const Operand& operand) {
  return operand.kind == TypeKind::kFloat ? DecodeFloat(operand.bytes)
                                          : static_cast<float>(DecodeInteger(operand.bytes));
}

BigInteger ToInteger(const Operand& operand) {
  return operand.kind == TypeKind::kVarint ? ToBigInteger(DecodeVarint(operand.bytes))
                                           : BigInteger(DecodeInteger(operand.bytes));
}

Result<BigDecimal> ToExact(const Operand& operand) {
  switch (operand.kind) {
    case TypeKind::kDecimal: return ToBigDecimal(DecodeDecimal(operand.bytes));
    case TypeKind::kFloat:
    case TypeKind::kDouble: {
      const double value = ToDouble(operand);
      if (std::isnan(value)) return Failed("A NaN cannot be converted into a decimal");
      if (std::isinf(value)) return Failed("An infinite number cannot be converted into a decimal");
      return ToBigDecimal(*ParseDecimalText(JavaDoubleText(value)));
    }
    case TypeKind::kVarint: return BigDecimal{ToInteger(operand), 0};
    // As in Cassandra, an integer becomes a double first, so 100 becomes 100.0.
    default: return ToBigDecimal(*ParseDecimalText(JavaDoubleText(ToDouble(operand))));
  }
}

// Calculates with unsigned numbers, whose low bits are right even if the operation overflows.
Result<Bytes> OnIntegers(char symbol, TypeKind kind, int64_t left, int64_t right) {
  const auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
  if ((symbol == '/' || symbol == '%') && right == 0) return Failed("/ by zero");
  uint64_t result = 0;
  switch (symbol) {
    case '+': result = a + b; break;
    case '-': result = a - b; break;
    case '*': result = a * b; break;
    case '/': result = right == -1 ? 0 - a : static_cast<uint64_t>(left / right); break;
    default: result = right == -1 ? 0 : static_cast<uint64_t>(left % right); break;
  }
  return EncodeInteger(kind, static_cast<int64_t>(result));
}

template <typename T>
T OnFloats(char symbol, T left, T right) {
  switch (symbol) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    case '/': return left / right;
    default: return std::fmod(left, right);
  }
}

Result<Bytes> OnVarints(char symbol, const BigInteger& left, const BigInteger& right) {
  if ((symbol == '/' || symbol == '%') && right == 0) return Failed("BigInteger divide by zero");
  BigInteger result;
  switch (symbol) {
    case '+': result = left + right; break;
    case '-': result = left - right; break;
    case '*': result = left * right; break;
    case '/': result = left / right; break;
    default: result = left % right; break;
  }
  return EncodeVarint(ToDecimal(result));
}

// Divides and rounds to a whole number; a half is rounded away from zero.
BigInteger DivideHalfUp(const BigInteger& number, const BigInteger& divisor) {
  BigInteger quotient = number / divisor;
  const BigInteger rest = abs(BigInteger(number % divisor)) * 2;
  if (rest >= abs(divisor)) quotient += (number < 0) != (divisor < 0) ? -1 : 1;
  return quotient;
}

// Divides as Cassandra does: to at least 32 significant digits and at least 32 digits after the point, but never more
// than 1,000 digits after the point. Then removes trailing zeros.
Result<BigDecimal> Divide(const BigDecimal& left, const BigDecimal& right) {
  constexpr int64_t kScaleMin = 32, kScaleMax = 1'000;
  if (right.number == 0) return Failed("BigInteger divide by zero");
  const int64_t first_digit = (CountDigits(left.number) - left.scale) - (CountDigits(right.number) - right.scale);
  int64_t scale = std::max({kScaleMin - first_digit, int64_t{left.scale}, int64_t{right.scale}, kScaleMin});
  scale = std::min(scale, kScaleMax);
  // left.number * 10^shift / right.number is the quotient with this scale.
  const int64_t shift = scale - left.scale + right.scale;
  if (std::abs(shift) > kScaleSpanMax) return Failed("decimals are too far apart to be divided");
  BigInteger number = left.number, divisor = right.number;
  (shift >= 0 ? number : divisor) *= PowerOfTen(std::abs(shift));
  BigDecimal result{DivideHalfUp(number, divisor), static_cast<int32_t>(scale)};
  if (result.number == 0) return BigDecimal{};
  StripZeros(result, std::numeric_limits<int32_t>::min());
  return result;
}

// Returns the remainder after dividing `left` by `right` to a whole number, with the scale of BigDecimal.remainder.
Result<BigDecimal> Remainder(BigDecimal left, BigDecimal right) {
  if (right.number == 0) return Failed(left.number == 0 ? "Division undefined" : "Division by zero");
  const int64_t preferred = int64_t{left.scale} - right.scale;
  const int32_t right_scale = right.scale, left_scale = left.scale;
  if (!Align(left, right).ok()) return Failed("decimals are too far apart to be divided");
  BigDecimal quotient{left.number / right.number, 0};
  BigDecimal rest{left.number % right.number, left.scale};
  if (preferred < 0) StripZeros(quotient, preferred);
  const bool small = quotient.number == 0;
  const int64_t product_scale = small ? left_scale : std::max<int64_t>(preferred, quotient.scale) + right_scale;
  const int64_t scale = std::max<int64_t>(left_scale, product_scale);
  if (scale < rest.scale) {
    rest.number /= PowerOfTen(rest.scale - scale);
  } else {
    rest.number *= PowerOfTen(scale - rest.scale);
  }
  rest.scale = static_cast<int32_t>(scale);
  return rest;
}

Result<Bytes> OnDecimals(char symbol, BigDecimal left, BigDecimal right) {
  if (symbol == '/' || symbol == '%') {
    WR_ASSIGN_OR_RETURN(const BigDecimal result, symbol == '/' ? Divide(left, right) : Remainder(left, right));
    return EncodeDecimal(ToDecimal(result));
  }
  if (symbol == '*') {
    const int64_t scale = int64_t{left.scale} + right.scale;
    if (scale != static_cast<int32_t>(scale)) return Failed(scale > 0 ? "Underflow" : "Overflow");
    return EncodeDecimal(ToDecimal(left.number * right.number, static_cast<int32_t>(scale)));
  }
  if (!Align(left, right).ok()) return Failed("decimals are too far apart to be added");
  left.number += symbol == '+' ? right.number : BigInteger(-right.number);
  return EncodeDecimal(ToDecimal(left));
}

}  // namespace

TypeKind OperationType(TypeKind left, TypeKind right) {
  const size_t size = std::max(SizeOf(left), SizeOf(right));
  if (IsFractional(left) || IsFractional(right)) {
    return size == 4    ? TypeKind::kFloat
           : size == 8  ? TypeKind::kDouble
           : size == 16 ? TypeKind::kDecimal
                        : TypeKind::kFloat;
  }
  switch (size) {
    case 1: return TypeKind::kTinyint;
    case 2: return TypeKind::kSmallint;
    case 4: return TypeKind::kInt;
    case 8: return TypeKind::kBigint;
    default: return TypeKind::kVarint;
  }
}

Result<Bytes> Operate(char symbol, const Operand& left, const Operand& right) {
  const TypeKind kind = OperationType(left.kind, right.kind);
  for (const Operand* operand : {&left, &right}) WR_RETURN_IF_ERROR(CheckDigits(operand->bytes));
  switch (kind) {
    case TypeKind::kFloat: return EncodeFloat(OnFloats(symbol, ToFloat(left), ToFloat(right)));
    case TypeKind::kDouble: return EncodeDouble(OnFloats(symbol, ToDouble(left), ToDouble(right)));
    case TypeKind::kVarint: return OnVarints(symbol, ToInteger(left), ToInteger(right));
    case TypeKind::kDecimal: {
      WR_ASSIGN_OR_RETURN(BigDecimal a, ToExact(left));
      WR_ASSIGN_OR_RETURN(BigDecimal b, ToExact(right));
      return OnDecimals(symbol, std::move(a), std::move(b));
    }
    default: return OnIntegers(symbol, kind, DecodeInteger(left.bytes), DecodeInteger(right.bytes));
  }
}

Bytes Negate(const Operand& operand) {
  switch (operand.kind) {
    case TypeKind::kFloat: return EncodeFloat(-DecodeFloat(operand.bytes));
    case TypeKind::kDouble: return EncodeDouble(-DecodeDouble(operand.bytes));
    case TypeKind::kVarint:
    case TypeKind::kDecimal: {
      const bool varint = operand.kind == TypeKind::kVarint;
      Decimal value = varint ? DecodeVarint(operand.bytes) : DecodeDecimal(operand.bytes);
      value.negative = !value.negative && !value.is_zero();
      return varint ? EncodeVarint(value) : EncodeDecimal(value);
    }
    default:
      return EncodeInteger(operand.kind, static_cast<int64_t>(0 - static_cast<uint64_t>(DecodeInteger(operand.bytes))));
  }
}

}  // namespace widerow::functions
