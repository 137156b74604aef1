#include "planner/numbers/big_number.h"

namespace widerow::functions {

BigInteger ToBigInteger(const Decimal& value) {
  BigInteger number = IntegerOfDigits(value.digits);
  return value.negative ? BigInteger(-number) : number;
}

BigDecimal ToBigDecimal(const Decimal& value) { return {ToBigInteger(value), value.scale}; }

Decimal ToDecimal(const BigInteger& number, int32_t scale) {
  return {.negative = number < 0, .digits = DigitsOf(abs(number)), .scale = scale};
}

Result<BigInteger> WholePartOf(const Decimal& value) {
  if (value.scale < -kScaleSpanMax) return InvalidError("The number has too many digits for a varint");
  if (value.scale <= 0) return BigInteger(ToBigInteger(value) * PowerOfTen(-int64_t{value.scale}));
  if (static_cast<size_t>(value.scale) >= value.digits.size()) return BigInteger(0);
  Decimal whole = value;
  whole.digits.resize(value.digits.size() - static_cast<size_t>(value.scale));
  return ToBigInteger(whole);
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

int64_t CountDigits(const BigInteger& number) { return static_cast<int64_t>(DigitsOf(abs(number)).size()); }

Status CheckDigits(ByteView bytes) {
  // A byte has about 2.4 decimal digits. The 4 bytes of a decimal's scale are counted too.
  constexpr size_t kBytesMax = kDigitsMax * 10 / 24;
  if (bytes.size() <= kBytesMax) return OkStatus();
  return Error{.code = ErrorCode::kFunctionFailure, .message = "numbers of more than 100000 digits"};
}

void StripZeros(BigDecimal& value, int64_t least) {
  if (value.scale <= least || value.number == 0 || bit_test(abs(value.number), 0)) return;
  const std::string digits = DigitsOf(abs(value.number));
  const auto zeros = static_cast<int64_t>(digits.size() - 1 - digits.find_last_not_of('0'));
  const int64_t taken = std::min(zeros, value.scale - least);
  value.number /= PowerOfTen(taken);
  value.scale -= static_cast<int32_t>(taken);
}

}  // namespace widerow::functions
