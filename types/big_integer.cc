#include "types/big_integer.h"

#include <charconv>

namespace widerow {
namespace {

// Up to this number of digits, Boost's own conversion is as fast as the one in this file.
constexpr int64_t kShortDigits = 1'000;

// Returns an upper bound of the number of decimal digits.
int64_t DigitsAtMost(const BigInteger& number) {
  return number == 0 ? 1 : static_cast<int64_t>(msb(number)) * 30'103 / 100'000 + 2;
}

void AppendDigits(const BigInteger& number, std::string& out) {
  const int64_t digits = DigitsAtMost(number);
  if (digits <= kShortDigits) {
    out += number.str();
    return;
  }
  const int64_t low_digits = digits / 2;
  BigInteger high, low;
  divide_qr(number, PowerOfTen(low_digits), high, low);
  AppendDigits(high, out);
  std::string low_text;
  AppendDigits(low, low_text);
  out.append(static_cast<size_t>(low_digits) - low_text.size(), '0') += low_text;
}

}  // namespace

BigInteger PowerOfTen(int64_t exponent) { return pow(BigInteger(10), static_cast<unsigned>(exponent)); }

BigInteger IntegerOfDigits(std::string_view digits) {
  if (digits.size() <= kSmallDigits) {
    uint64_t small = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), small);
    return small;
  }
  const size_t low = digits.size() / 2, high = digits.size() - low;
  return IntegerOfDigits(digits.substr(0, high)) * PowerOfTen(static_cast<int64_t>(low)) +
         IntegerOfDigits(digits.substr(high));
}

std::string DigitsOf(const BigInteger& number) {
  std::string out;
  AppendDigits(number, out);
  return out;
}

}  // namespace widerow
