// Values of up to 8 bytes or 18 digits are converted by machine words, longer ones by BigInteger (types/big_integer.h).
// The Parse functions accept exactly what Java accepts.
#include "types/decimal.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "types/big_integer.h"

namespace widerow {
namespace {

// Returns the absolute value of a two's complement number.
BigInteger MagnitudeOf(ByteView bytes, bool negative) {
  BigInteger magnitude;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  import_bits(magnitude, data, data + bytes.size());
  if (negative) magnitude = (BigInteger(1) << (8 * bytes.size())) - magnitude;
  return magnitude;
}

std::string_view WithoutLeadingZeros(std::string_view digits) {
  const size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? std::string_view("0") : digits.substr(first);
}

bool AllDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool TakeSign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

// Parses the exponent after E: at most ten digits and within int, as BigDecimal does.
std::optional<int64_t> ParseExponent(std::string_view text) {
  const bool negative = TakeSign(text);
  if (text.empty() || !AllDigits(text)) return std::nullopt;
  const std::string_view digits = WithoutLeadingZeros(text);
  if (digits.size() > 10) return std::nullopt;
  int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (value > std::numeric_limits<int32_t>::max()) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

Decimal DecodeVarint(ByteView bytes) {
  Decimal value;
  if (bytes.empty()) return value;
  value.negative = static_cast<int8_t>(bytes[0]) < 0;
  if (bytes.size() <= 8) {
    uint64_t word = value.negative ? ~uint64_t{0} : 0;
    for (const char c : bytes) word = word << 8 | static_cast<uint8_t>(c);
    value.digits = std::to_string(value.negative ? ~word + 1 : word);
    return value;
  }
  value.digits = DigitsOf(MagnitudeOf(bytes, value.negative));
  return value;
}

Bytes EncodeVarint(int64_t value) {
  Bytes out;
  AppendBigEndian(out, value);
  size_t skip = 0;
  while (skip < 7 && (out[skip] == 0 || out[skip] == -1) && (out[skip] < 0) == (out[skip + 1] < 0)) ++skip;
  return out.substr(skip);
}

Bytes EncodeVarint(const Decimal& value) {
  if (value.digits.size() <= kSmallDigits) {
    int64_t small = 0;
    std::from_chars(value.digits.data(), value.digits.data() + value.digits.size(), small);
    return EncodeVarint(value.negative ? -small : small);
  }
  BigInteger magnitude = IntegerOfDigits(value.digits);
  // The two's complement of -m is ~(m - 1). From here on `magnitude` is m - 1 for a negative number.
  if (value.negative) magnitude -= 1;
  Bytes out;
  export_bits(magnitude, std::back_inserter(out), 8);
  if (out.empty() || static_cast<int8_t>(out[0]) < 0) out.insert(out.begin(), '\0');
  if (value.negative) {
    for (char& c : out) c = static_cast<char>(~c);
  }
  return out;
}

Decimal DecodeDecimal(ByteView bytes) {
  Decimal value = DecodeVarint(bytes.substr(4));
  value.scale = ReadBigEndian<int32_t>(bytes.data());
  return value;
}

Bytes EncodeDecimal(const Decimal& value) {
  Bytes out;
  AppendBigEndian(out, value.scale);
  return out + EncodeVarint(value);
}

std::optional<Decimal> ParseVarintText(std::string_view text) {
  Decimal value;
  value.negative = TakeSign(text);
  if (text.empty() || !AllDigits(text)) return std::nullopt;
  value.digits = WithoutLeadingZeros(text);
  if (value.is_zero()) value.negative = false;
  return value;
}

std::optional<Decimal> ParseDecimalText(std::string_view text) {
  Decimal value;
  value.negative = TakeSign(text);
  int64_t exponent = 0;
  if (const size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    const std::optional<int64_t> parsed = ParseExponent(text.substr(e + 1));
    if (!parsed) return std::nullopt;
    exponent = *parsed;
    text = text.substr(0, e);
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if (whole.size() + fraction.size() == 0 || !AllDigits(whole) || !AllDigits(fraction)) return std::nullopt;
  const int64_t scale = static_cast<int64_t>(fraction.size()) - exponent;
  if (scale < std::numeric_limits<int32_t>::min() || scale > std::numeric_limits<int32_t>::max()) return std::nullopt;
  value.scale = static_cast<int32_t>(scale);
  std::string digits(whole);
  digits += fraction;
  value.digits = WithoutLeadingZeros(digits);
  if (value.is_zero()) value.negative = false;
  return value;
}

std::string VarintText(const Decimal& value) { return value.negative ? "-" + value.digits : value.digits; }

std::string DecimalText(const Decimal& value) {
  std::string out = value.negative ? "-" : "";
  const std::string& digits = value.digits;
  if (value.scale == 0) return out + digits;
  const auto count = static_cast<int64_t>(digits.size());
  const int64_t adjusted = count - 1 - value.scale;
  if (value.scale > 0 && adjusted >= -6) {
    const int64_t point = count - value.scale;
    if (point > 0) return out + digits.substr(0, point) + "." + digits.substr(point);
    return out + "0." + std::string(-point, '0') + digits;
  }
  out += digits[0];
  if (count > 1) out += "." + digits.substr(1);
  if (adjusted != 0) {
    out += 'E';
    if (adjusted > 0) out += '+';
    out += std::to_string(adjusted);
  }
  return out;
}

int CompareDecimals(const Decimal& a, const Decimal& b) {
  const int sign_a = a.is_zero() ? 0 : a.negative ? -1 : 1;
  const int sign_b = b.is_zero() ? 0 : b.negative ? -1 : 1;
  if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
  if (sign_a == 0) return 0;
  const int64_t point_a = static_cast<int64_t>(a.digits.size()) - a.scale;
  const int64_t point_b = static_cast<int64_t>(b.digits.size()) - b.scale;
  if (point_a != point_b) return (point_a < point_b) == (sign_a > 0) ? -1 : 1;
  const auto significant = [](const std::string& digits) {
    return std::string_view(digits).substr(0, digits.find_last_not_of('0') + 1);
  };
  return sign_a * significant(a.digits).compare(significant(b.digits));
}

}  // namespace widerow
