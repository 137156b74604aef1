// Exact numbers of any length, for sums, operators and casts: what Java's BigInteger and BigDecimal are there.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "base/result.h"
#include "types/decimal.h"

namespace widerow::functions {

using BigInteger = boost::multiprecision::cpp_int;

// An unscaled number and its scale.
struct BigDecimal {
  BigInteger number;
  int32_t scale = 0;
};

// How far apart scales may lie before arithmetic on two decimals becomes a way to ask for gigabytes.
inline constexpr int64_t kScaleSpanMax = 100'000;
// How long the numbers may be that are multiplied or divided.
inline constexpr size_t kDigitsMax = 100'000;

BigInteger ToBigInteger(const Decimal& value);  // The digits; the scale is not looked at.
BigDecimal ToBigDecimal(const Decimal& value);
Decimal ToDecimal(const BigInteger& number, int32_t scale = 0);
inline Decimal ToDecimal(const BigDecimal& value) { return ToDecimal(value.number, value.scale); }

BigInteger PowerOfTen(int64_t exponent);
// Brings both to the finer scale of the two. kFunctionFailure if they are too far apart.
Status Align(BigDecimal& a, BigDecimal& b);
// How many decimal digits: one for zero.
int64_t DigitsOf(const BigInteger& number);
// Takes zeros off the end while the scale is above `least`.
void StripZeros(BigDecimal& value, int64_t least);

}  // namespace widerow::functions
