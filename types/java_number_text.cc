// Split takes a number apart, DigitsOfBinary produces its digits, and Print writes them. The digits of whole numbers
// below 2^63 come from integer divisions by ten. All other numbers are a fraction of two integers, and Develop divides
// these digit by digit. It uses 32-bit, 64-bit or big integers, as Java would, because the choice changes the digits.
// tests/unit/types/cassandra_vectors_test.cc compares the texts with Java's.
#include "types/java_number_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "types/big_integer.h"

namespace widerow {
namespace {

constexpr int kFractionBits = 52;  // Those of a double. A float's fraction is shifted to the highest of these bits.
constexpr uint64_t kHiddenBit = uint64_t{1} << kFractionBits;

// value = fraction * 2^(exponent - 52). The fraction includes the hidden bit. A subnormal number has fewer significant
// bits.
struct Binary {
  uint64_t fraction = 0;
  int exponent = 0;
  int significant_bits = 0;
};

// The value 0.d1d2d3… * 10^point.
struct Digits {
  std::string digits;
  int point = 0;
};

template <typename Bits>
Binary Split(Bits bits, int fraction_bits, int bias) {
  uint64_t fraction = bits & ((Bits{1} << fraction_bits) - 1);
  int exponent = static_cast<int>(bits >> fraction_bits & static_cast<Bits>(2 * bias + 1));
  int significant_bits = fraction_bits + 1;
  if (exponent == 0) {
    significant_bits = std::bit_width(fraction);
    const int shift = fraction_bits + 1 - significant_bits;
    fraction <<= shift;
    exponent = 1 - shift;
  } else {
    fraction |= uint64_t{1} << fraction_bits;
  }
  return {fraction << (kFractionBits - fraction_bits), exponent - bias, significant_bits};
}

int BitsOfPow5(int n) {  // Java's table ends at 26; beyond it Java counts 3 bits for each power.
  constexpr int kExact = 27;
  if (n >= kExact) return 3 * n;
  uint64_t power = 1;
  for (int i = 0; i < n; ++i) power *= 5;
  return n == 0 ? 0 : std::bit_width(power);
}

Digits OfWholeNumber(uint64_t number, int insignificant_digits) {
  Digits out;
  uint64_t cut = 1;
  for (int i = 0; i < insignificant_digits; ++i) cut *= 10;
  const uint64_t rest = number % cut;
  number = number / cut + (cut > 1 && rest >= cut / 2 ? 1 : 0);
  out.digits = std::to_string(number);
  out.point = static_cast<int>(out.digits.size()) + insignificant_digits;
  out.digits.resize(out.digits.find_last_not_of('0') + 1);
  return out;
}

void RoundUp(Digits& out) {
  size_t i = out.digits.size() - 1;
  while (out.digits[i] == '9' && i > 0) out.digits[i--] = '0';
  if (out.digits[i] == '9') {
    ++out.point;
    out.digits[0] = '1';
  } else {
    ++out.digits[i];
  }
}

// Produces the digits of b / s, one by one. m is half the distance to the next number, in the same unit as b. `low` is
// true if the digits so far distinguish the number from its neighbors. `high` is true if they do so after the last
// digit is raised by one.
template <typename Int>  // Java's int or long, which wrap around.
struct SmallDivision {
  using Number = std::make_unsigned_t<Int>;
  Number b, s, m, tens = s * 10;
  bool begun = false, low = false, high = false;

  static Number Scaled(uint64_t number, int fives, int twos) {
    for (int i = 0; i < fives; ++i) number *= 5;
    return static_cast<Number>(number << twos);
  }
  char Next() {
    const auto digit = static_cast<char>('0' + b / s);
    b = b % s * 10;
    m *= 10;
    const bool wrapped = std::exchange(begun, true) && static_cast<Int>(m) <= 0;
    low = wrapped || static_cast<Int>(b) < static_cast<Int>(m);
    high = wrapped || static_cast<Int>(b + m) > static_cast<Int>(tens);
    return digit;
  }
  int ComparedToHalf() const {
    const auto beyond = static_cast<Int>(b * 2 - tens);
    return beyond < 0 ? -1 : beyond > 0 ? 1 : 0;
  }
};

struct BigDivision {
  using Number = BigInteger;
  Number b, s, m, tens = s * 10;
  bool low = false, high = false;

  static Number Scaled(uint64_t number, int fives, int twos) {
    return Number(number) * pow(Number(5), static_cast<unsigned>(fives)) << static_cast<unsigned>(twos);
  }
  char Next() {
    Number digit;
    divide_qr(b, s, digit, b);
    b *= 10;
    m *= 10;
    low = b < m;
    high = b + m >= tens;  // As in Java, SmallDivision has > here, and BigDivision has >=.
    return static_cast<char>('0' + static_cast<int>(digit));
  }
  int ComparedToHalf() const { return Number(b * 2).compare(tens); }
};

// b = fraction * 5^b5 * 2^b2, s = 5^s5 * 2^s2, m = 5^b5 * 2^m2. The number is b / s * 10^exponent.
struct Ratio {
  uint64_t fraction = 0;
  int b5 = 0, b2 = 0, s5 = 0, s2 = 0, m2 = 0, exponent = 0;
};

template <typename Division>
Digits Develop(const Ratio& ratio) {
  Division division{.b = Division::Scaled(ratio.fraction, ratio.b5, ratio.b2),
                    .s = Division::Scaled(1, ratio.s5, ratio.s2),
                    .m = Division::Scaled(1, ratio.b5, ratio.m2)};
  Digits out{.digits = {}, .point = ratio.exponent + 1};
  const char first = division.Next();
  if (first == '0' && !division.high)
    --out.point;
  else
    out.digits += first;
  // A number with these exponents is printed as d.dE…, so it needs at least one more digit.
  if (out.point < -2 || out.point > 8) division.high = division.low = false;
  while (!division.low && !division.high) out.digits += division.Next();
  if (!division.high) return out;
  const int half = division.ComparedToHalf();
  const bool odd = ((out.digits.back() - '0') & 1) != 0;
  if (!division.low || half > 0 || (half == 0 && odd)) RoundUp(out);
  return out;
}

// Returns floor(log10), possibly off by one.
int EstimateExponent(const Binary& binary) {
  const auto one_to_two = std::bit_cast<double>(std::bit_cast<uint64_t>(1.0) | (binary.fraction & (kHiddenBit - 1)));
  return static_cast<int>(
      std::floor((one_to_two - 1.5) * 0.289529654 + 0.176091259 + binary.exponent * 0.301029995663981));
}

Digits DigitsOfBinary(const Binary& binary) {
  constexpr int kWholeExponentMax = 62;
  const int trailing = std::countr_zero(binary.fraction);
  const int fraction_bits = kFractionBits + 1 - trailing;
  const int tiny_bits = std::max(0, fraction_bits - binary.exponent - 1);  // Bits after the binary point.
  if (tiny_bits == 0 && binary.exponent <= kWholeExponentMax) {
    // The last digits are not significant. There are as many of them as the distance to the next number has digits.
    const int beyond = binary.exponent - binary.significant_bits - 1;
    const int insignificant = beyond > 1 ? static_cast<int>(beyond * 0.30103) : 0;
    const int shift = binary.exponent - kFractionBits;
    return OfWholeNumber(shift >= 0 ? binary.fraction << shift : binary.fraction >> -shift, insignificant);
  }
  Ratio ratio{.fraction = binary.fraction >> trailing, .exponent = EstimateExponent(binary)};
  ratio.b5 = std::max(0, -ratio.exponent);
  ratio.s5 = std::max(0, ratio.exponent);
  ratio.b2 = ratio.b5 + tiny_bits + binary.exponent;
  ratio.s2 = ratio.s5 + tiny_bits;
  ratio.m2 = ratio.b2 - binary.significant_bits;
  ratio.b2 -= fraction_bits - 1;
  const int common = std::min(ratio.b2, ratio.s2);
  ratio.b2 -= common;
  ratio.s2 -= common;
  ratio.m2 -= common + (fraction_bits == 1 ? 1 : 0);  // Below a power of two the next number is only half as far away.
  if (ratio.m2 < 0) {
    ratio.b2 -= ratio.m2;
    ratio.s2 -= ratio.m2;
    ratio.m2 = 0;
  }
  const int b_bits = fraction_bits + ratio.b2 + BitsOfPow5(ratio.b5),
            tens_bits = ratio.s2 + 1 + BitsOfPow5(ratio.s5 + 1);
  if (b_bits < 32 && tens_bits < 32) return Develop<SmallDivision<int32_t>>(ratio);
  if (b_bits < 64 && tens_bits < 64) return Develop<SmallDivision<int64_t>>(ratio);
  return Develop<BigDivision>(ratio);
}

std::string Print(const Digits& number) {
  const auto& [digits, point] = number;
  const auto or_zero = [](std::string text) { return text.empty() ? "0" : text; };
  if (point > 0 && point < 8) {
    const auto whole = static_cast<size_t>(point);
    if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0') + ".0";
    return digits.substr(0, whole) + "." + digits.substr(whole);
  }
  if (point <= 0 && point > -3) return "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  return digits.substr(0, 1) + "." + or_zero(digits.substr(1)) + "E" + std::to_string(point - 1);
}

template <typename T, typename Bits>
std::string JavaText(T value, int fraction_bits, int bias) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0) return sign + "0.0";
  return sign + Print(DigitsOfBinary(Split(std::bit_cast<Bits>(std::abs(value)), fraction_bits, bias)));
}

}  // namespace

std::string JavaFloatText(float value) { return JavaText<float, uint32_t>(value, 23, 127); }
std::string JavaDoubleText(double value) { return JavaText<double, uint64_t>(value, kFractionBits, 1023); }

}  // namespace widerow
