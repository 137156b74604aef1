// Exact numbers of any length for sums, operators and casts: the counterparts of Java's BigInteger and BigDecimal. Pure
// functions.
#pragma once

#include "base/result.h"
#include "types/big_integer.h"
#include "types/decimal.h"

namespace widerow::functions {

// The value number × 10^-scale.
struct BigDecimal {
  BigInteger number;
  int32_t scale = 0;
};

// The largest difference of the scales of two operands. Without it, a short statement could ask for gigabytes of
// digits.
inline constexpr int64_t kScaleSpanMax = 100'000;
// The largest number of digits of an operand. A calculation with more digits would take long, and is done for each row.
inline constexpr size_t kDigitsMax = 100'000;
// Fails with kFunctionFailure if a varint or a decimal has more bytes than kDigitsMax digits take. Call it before the
// value is decoded.
Status CheckDigits(ByteView bytes);

BigInteger ToBigInteger(const Decimal& value);  // Converts the digits and ignores the scale.
BigDecimal ToBigDecimal(const Decimal& value);
Decimal ToDecimal(const BigInteger& number, int32_t scale = 0);
inline Decimal ToDecimal(const BigDecimal& value) { return ToDecimal(value.number, value.scale); }

// Returns the part before the decimal point. kInvalid if it has too many digits.
Result<BigInteger> WholePartOf(const Decimal& value);
// Gives both numbers the larger of the two scales, without changing their values. kFunctionFailure if the scales are
// too far apart.
Status Align(BigDecimal& a, BigDecimal& b);
// Returns the number of decimal digits; 1 for zero.
int64_t CountDigits(const BigInteger& number);
// Removes trailing zeros while the scale is above `least`.
void StripZeros(BigDecimal& value, int64_t least);

}  // namespace widerow::functions
