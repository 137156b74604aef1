// Integers of any length and their decimal digits. Conversions split the number in halves, so a long number costs a few
// large multiplications or divisions instead of one small one per digit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <string_view>

namespace widerow {

using BigInteger = boost::multiprecision::cpp_int;

// A number of this many decimal digits always fits in 64 bits.
inline constexpr size_t kSmallDigits = 18;

BigInteger PowerOfTen(int64_t exponent);  // `exponent` must not be negative.
// `digits` must be decimal digits only, at least one.
BigInteger IntegerOfDigits(std::string_view digits);
// `number` must not be negative. The result has no leading zeros.
std::string DigitsOf(const BigInteger& number);

}  // namespace widerow
