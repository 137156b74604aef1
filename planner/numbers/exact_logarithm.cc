#include "planner/numbers/exact_logarithm.h"

#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>

#include "planner/numbers/big_number.h"

namespace widerow::functions {
namespace {

constexpr size_t kDigitsLeast = 32, kDigitsMost = 100;
// A number with 20 digits more than a result has, so that all digits of the result are right.
using Float = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<kDigitsMost + 20>>;

Error Failed(const char* why) { return InvalidError(why); }

// Returns the value with `digits` significant digits.
Result<Decimal> Shown(const Float& value, size_t digits) {
  if (!isfinite(value)) return Failed("Overflow");
  if (value == 0) return Decimal{};
  std::optional<Decimal> shown =
      ParseDecimalText(value.str(static_cast<std::streamsize>(digits) - 1, std::ios::scientific));
  if (!shown) return Failed("Overflow");
  return *shown;
}

// Returns n if the value is 10^n and n is not negative.
std::optional<int64_t> PowerOf(const Decimal& value) {
  if (value.negative || value.digits[0] != '1' || value.digits.find_first_not_of('0', 1) != std::string::npos)
    return std::nullopt;
  const int64_t power = static_cast<int64_t>(value.digits.size()) - 1 - value.scale;
  return power >= 0 ? std::optional(power) : std::nullopt;
}

}  // namespace

Result<Decimal> ExactTranscendent(Transcendent function, const Decimal& value) {
  const size_t digits = std::clamp(value.digits.size(), kDigitsLeast, kDigitsMost);
  const bool positive = !value.negative && !value.is_zero();
  if (function != Transcendent::kExp && !positive) {
    return Failed(function == Transcendent::kLog ? "Natural log of number zero or less"
                                                 : "Log10 of number zero or less");
  }
  if (const std::optional<int64_t> power = PowerOf(value); function == Transcendent::kLog10 && power) {
    BigDecimal exact{BigInteger(*power), 0};
    if (*power != 0) StripZeros(exact, -1'000);
    return ToDecimal(exact);
  }
  if (function == Transcendent::kExp && value.is_zero()) return Decimal{.negative = false, .digits = "1", .scale = 0};
  const Float number((value.negative ? "-" : "") + value.digits + "e" + std::to_string(-int64_t{value.scale}));
  switch (function) {
    case Transcendent::kExp: return Shown(exp(number), digits);
    case Transcendent::kLog: return Shown(log(number), digits);
    case Transcendent::kLog10: return Shown(log10(number), digits);
  }
  return Failed("Overflow");
}

}  // namespace widerow::functions
