#include "planner/functions/big_number.h"

namespace widerow::functions {

BigInteger ToBigInteger(const Decimal& value) {
  BigInteger number(value.digits);
  return value.negative ? BigInteger(-number) : number;
}

BigDecimal ToBigDecimal(const Decimal& value) { return {ToBigInteger(value), value.scale}; }

Decimal ToDecimal(const BigInteger& number, int32_t scale) {
  return {.negative = number < 0, .digits = BigInteger(abs(number)).str(), .scale = scale};
}

BigInteger PowerOfTen(int64_t exponent) {
  return boost::multiprecision::pow(BigInteger(10), static_cast<unsigned>(exponent));
}

Status Align(BigDecimal& a, BigDecimal& b) {
  BigDecimal& coarse = a.scale < b.scale ? a : b;
  const int32_t scale = std::max(a.scale, b.scale);
  const int64_t span = int64_t{scale} - coarse.scale;
  if (span > kScaleSpanMax) {
    return Error{.code = ErrorCode::kFunctionFailure,
                 .message = "execution of aggregate failed: decimals are too far apart to be added"};
  }
  coarse.number *= PowerOfTen(span);
  coarse.scale = scale;
  return OkStatus();
}

int64_t DigitsOf(const BigInteger& number) {
  return static_cast<int64_t>(BigInteger(abs(number)).str().size());
}

void StripZeros(BigDecimal& value, int64_t least) {
  while (value.scale > least && value.number % 10 == 0) {
    value.number /= 10;
    --value.scale;
  }
}

}  // namespace widerow::functions
