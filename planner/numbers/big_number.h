// Exact numbers of any length, for sums, operators and casts: what Java's BigInteger and BigDecimal are there.
#pragma once

#include "base/result.h"
#include "types/big_integer.h"
#include "types/decimal.h"

namespace widerow::functions {

// An unscaled number and its scale.
struct BigDecimal {
  BigInteger number;
  int32_t scale = 0;
};

// How far apart scales may lie before arithmetic on two decimals becomes a way to ask for gigabytes.
inline constexpr int64_t kScaleSpanMax = 100'000;
// How long the numbers may be that are added, multiplied, divided or put into a function, each row anew.
inline constexpr size_t kDigitsMax = 100'000;
// kFunctionFailure if the bytes of a varint, or of a decimal's number, are more than so many digits take. Asked before they are
// decoded.
Status CheckDigits(ByteView bytes);

BigInteger ToBigInteger(const Decimal& value);  // The digits; the scale is not looked at.
BigDecimal ToBigDecimal(const Decimal& value);
Decimal ToDecimal(const BigInteger& number, int32_t scale = 0);
inline Decimal ToDecimal(const BigDecimal& value) { return ToDecimal(value.number, value.scale); }

// What is before the point. kInvalid if it would be endless.
Result<BigInteger> WholePartOf(const Decimal& value);
// Brings both to the finer scale of the two. kFunctionFailure if they are too far apart.
Status Align(BigDecimal& a, BigDecimal& b);
// How many decimal digits: one for zero.
int64_t CountDigits(const BigInteger& number);
// Takes zeros off the end while the scale is above `least`.
void StripZeros(BigDecimal& value, int64_t least);

}  // namespace widerow::functions
