// Integers of any length and their decimal digits, both ways by halves: a long number costs a few big multiplications or
// divisions, not one small one per digit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <string_view>

namespace widerow {

using BigInteger = boost::multiprecision::cpp_int;

// This many decimal digits surely fit in 64 bits.
inline constexpr size_t kSmallDigits = 18;

BigInteger PowerOfTen(int64_t exponent);  // Which is not negative.
// Digits only, at least one.
BigInteger IntegerOfDigits(std::string_view digits);
// Of a number that is not negative; no leading zeros.
std::string DigitsOf(const BigInteger& number);

}  // namespace widerow
