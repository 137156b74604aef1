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
// Returns the number that `digits` stands for. There must be at least one digit, and nothing else.
BigInteger IntegerOfDigits(std::string_view digits);
// Returns the decimal digits of a number that is not negative, without leading zeros.
std::string DigitsOf(const BigInteger& number);

}  // namespace widerow
